import { expect, test } from './support/fixtures.ts';

test('keeps the self-harm word list off the landing page', async ({ page }) => {
  const scripts: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response.text().catch(() => ''));
  });
  await page.goto('/');
  await page.getByRole('banner').getByRole('link').first().hover();
  await expect(page.locator('html')).toHaveAttribute('data-ready');
  await page.waitForLoadState('networkidle');
  expect((await Promise.all(scripts)).filter((source) => source.includes('escuadron'))).toEqual([]);
  expect(scripts.length).toBeGreaterThan(0);
});
