import type { Ctx } from '#/platform/context.ts';
import type { ListedPage } from '#/platform/feature.ts';
import { features } from './features.ts';

/** Maximum URLs per sitemap file (sitemaps.org). */
const perFile = 50_000;

/** Public pages independent of the database. */
const fixed = [
  '/',
  '/services',
  '/therapists',
  '/resources',
  '/devotional',
  '/about',
  '/faq',
  '/contact',
  '/join',
];

export async function listedPages(ctx: Ctx): Promise<ListedPage[]> {
  const listed = await Promise.all(features.map(({ sitemap }) => sitemap(ctx)));
  return [...fixed.map((path) => ({ path })), ...listed.flat()];
}

/**
 * Returns sitemap files by path, with an index once one file isn't enough. Paths contain only generated ids, so nothing
 * needs escaping.
 */
export function sitemapFiles(
  pages: readonly ListedPage[],
  appUrl: string,
  max = perFile,
): Map<string, string> {
  const files = Array.from({ length: Math.ceil(pages.length / max) }, (_, index) =>
    urlSet(pages.slice(index * max, (index + 1) * max), appUrl),
  );
  if (files.length === 1) return new Map([['/sitemap.xml', files[0]!]]);
  const paths = files.map((_, index) => `/sitemap-${index + 1}.xml`);
  return new Map([
    ['/sitemap.xml', indexOf(paths, appUrl)],
    ...files.map((file, index) => [paths[index]!, file] as const),
  ]);
}

const head = '<?xml version="1.0" encoding="UTF-8"?>';
const schema = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

function urlSet(pages: readonly ListedPage[], appUrl: string): string {
  const urls = pages.map(({ path, changed }) => {
    const day = changed ? `<lastmod>${changed.toISOString().slice(0, 10)}</lastmod>` : '';
    return `<url><loc>${appUrl}${path}</loc>${day}</url>`;
  });
  return [head, `<urlset ${schema}>`, ...urls, '</urlset>', ''].join('\n');
}

function indexOf(paths: readonly string[], appUrl: string): string {
  const maps = paths.map((path) => `<sitemap><loc>${appUrl}${path}</loc></sitemap>`);
  return [head, `<sitemapindex ${schema}>`, ...maps, '</sitemapindex>', ''].join('\n');
}
