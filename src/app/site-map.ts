import { services } from '#/features/catalogue/queries.ts';
import { devotionalPages } from '#/features/growth/devotionals/queries.ts';
import { listedSlugs } from '#/features/providers/profile/queries.ts';
import { publishedPages } from '#/features/resources/queries.ts';
import type { Ctx } from '#/platform/context.ts';

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

interface Listed {
  path: string;
  changed?: Date | null;
}

export async function listedPages(ctx: Ctx): Promise<Listed[]> {
  const [offered, specialists, resources, devotionals] = await Promise.all([
    services(ctx),
    listedSlugs(ctx),
    publishedPages(ctx),
    devotionalPages(ctx),
  ]);
  return [
    ...fixed.map((path) => ({ path })),
    ...offered.map(({ id }) => ({ path: `/service/${id}` })),
    ...specialists.map((slug) => ({ path: `/therapists/${slug}` })),
    ...resources.map(({ id, changed }) => ({ path: `/resources/${id}`, changed })),
    ...devotionals.map(({ day, changed }) => ({ path: `/devotional/${day}`, changed })),
  ];
}

/**
 * Returns sitemap files by path, with an index once one file isn't enough. Paths contain only generated ids, so nothing
 * needs escaping.
 */
export function sitemapFiles(pages: readonly Listed[], appUrl: string, most = perFile): Map<string, string> {
  const files = Array.from({ length: Math.ceil(pages.length / most) }, (_, index) =>
    urlSet(pages.slice(index * most, (index + 1) * most), appUrl),
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

function urlSet(pages: readonly Listed[], appUrl: string): string {
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
