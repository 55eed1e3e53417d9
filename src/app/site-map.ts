import { services } from '#/features/catalogue/queries.ts';
import { devotionalPages } from '#/features/growth/devotionals/queries.ts';
import { listedSlugs } from '#/features/providers/profile/queries.ts';
import { publishedPages } from '#/features/resources/queries.ts';
import type { Ctx } from '#/platform/context.ts';

/** How many addresses one file may hold (sitemaps.org). */
const perFile = 50_000;

/** The public pages that are there whatever the database holds. */
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

/** A page for search engines, and the day of its last change where that is known. */
interface Listed {
  path: string;
  changed?: Date | null;
}

/** Every page that search engines may list. */
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
 * The files of the sitemap by their paths: one, or where there are more pages than one may hold, an index of several.
 * Paths hold ids of ours alone, so nothing needs escaping.
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
