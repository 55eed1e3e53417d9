import { expect, type Page } from '@playwright/test';

/** Counts the scripts that the page loads from now on, and their compressed size. */
export function watchScripts(page: Page): () => Promise<{ files: number; bytes: number }> {
  const scripts = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url());
  });
  return async () => {
    let bytes = 0;
    for (const url of scripts) {
      const answer = await page.request.head(url, { headers: { 'accept-encoding': 'br' } });
      expect(answer.headers()['content-encoding']).toBe('br');
      bytes += Number(answer.headers()['content-length']);
    }
    return { files: scripts.size, bytes };
  };
}
