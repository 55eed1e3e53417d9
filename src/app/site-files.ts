import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Pages } from './rendering.ts';
import { listedPages, sitemapFiles } from './site-map.ts';

/** Private pages and actions, disallowed in robots.txt. */
const shut = [
  '/address-change',
  '/api/',
  '/admin',
  '/author',
  '/availability',
  '/booking',
  '/calendar/',
  '/client-invitation',
  '/clients',
  '/continue/',
  '/dev/',
  '/email-change',
  '/files/',
  '/growth',
  '/home',
  '/insights',
  '/invitation',
  '/messages',
  '/offline',
  '/practice',
  '/prayers',
  '/profile',
  '/reset-password',
  '/return-to-app',
  '/reviews',
  '/schedule',
  '/session/',
  '/unsubscribe',
  '/sign-in-code',
  '/sign-in-link',
  '/verify',
  '/unlock',
  '/*?auth=',
];

/** `paper` in theme.css, in hex for the manifest. */
const paper = '#fcfaf5';

/** Serves generated files such as robots.txt, sitemaps and the web app manifest. Null for other paths. */
export async function siteFile(
  ctx: Ctx,
  path: string,
  { appUrl, pages }: { appUrl: string; pages: Pages },
): Promise<Response | null> {
  if (path === '/robots.txt') return file(robots(appUrl), 'text/plain; charset=utf-8');
  if (path === '/manifest.webmanifest') {
    const manifest = await pages.kept(path, async () => new Map([[path, await manifestOf(ctx)]]));
    const text = manifest.get(path);
    return text ? file(text, 'application/manifest+json') : null;
  }
  if (/^\/sitemap(-\d{1,4})?\.xml$/.test(path)) {
    const files = await pages.kept('/sitemap.xml', async () => sitemapFiles(await listedPages(ctx), appUrl));
    const text = files.get(path);
    return text ? file(text, 'application/xml; charset=utf-8') : null;
  }
  return null;
}

function file(text: string, type: string): Response {
  return new Response(text, { headers: { 'content-type': type, 'cache-control': 'public, max-age=300' } });
}

function robots(appUrl: string): string {
  return [
    'User-agent: *',
    ...shut.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${appUrl}/sitemap.xml`,
    '',
  ].join('\n');
}

async function manifestOf(ctx: Ctx): Promise<string> {
  const [settings, flag] = await Promise.all([
    siteSettings(ctx),
    // Browsers request manifests without credentials; only pages of people with the feature link it.
    ctx.db
      .selectFrom('feature_flags')
      .select('enabled')
      .where('id', '=', 'mobile_app_access')
      .executeTakeFirst(),
  ]);
  if (!flag?.enabled) return '';
  return JSON.stringify({
    id: '/',
    name: settings.site_name,
    short_name: settings.site_name.slice(0, 12).trim(),
    description: settings.site_description,
    lang: 'en',
    start_url: '/home',
    scope: '/',
    display: 'standalone',
    background_color: paper,
    theme_color: paper,
    categories: ['health', 'lifestyle'],
    icons: [
      { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icons/icon-192.png', type: 'image/png', sizes: '192x192' },
      { src: '/icons/icon-512.png', type: 'image/png', sizes: '512x512' },
      { src: '/icons/maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
    ],
  });
}
