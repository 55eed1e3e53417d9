import type { PublicSite } from '#/features/settings/contract.ts';
import { m } from '#/texts/messages.js';

export interface SiteHead {
  site: PublicSite;
  /** Without a trailing slash. */
  appUrl: string;
}

/** The router escapes structured data. */
type MetaEntry =
  | { title: string }
  | { name: string; content: string }
  | { property: string; content: string }
  | { tagName: 'link'; rel: string; href: string }
  | { 'script:ld+json': Readonly<Record<string, unknown>> };

export function pageMeta(
  { site, appUrl }: SiteHead,
  {
    title,
    description,
    path,
    structured = [],
  }: { title: string; description: string; path: string; structured?: Readonly<Record<string, unknown>>[] },
): MetaEntry[] {
  const url = `${appUrl}${path}`;
  return [
    { title },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: site.siteName },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    ...cardMeta(appUrl, path),
    { name: 'twitter:card', content: 'summary_large_image' },
    ...structured.map((data) => ({ 'script:ld+json': { '@context': 'https://schema.org', ...data } })),
  ];
}

/** Pages with their own social card (scripts/draw-cards.ts). */
const cards: ReadonlySet<string> = new Set([
  '/services',
  '/service/individuals',
  '/service/couples',
  '/service/families',
  '/service/teens',
  '/service/grief',
  '/service/spiritual',
  '/therapists',
  '/resources',
  '/devotional',
  '/about',
  '/faq',
  '/contact',
]);

/** Falls back to the parent's card, then the site's. */
function cardOf(path: string): string {
  const above = path.slice(0, path.lastIndexOf('/'));
  const known = [path, above].find((one) => cards.has(one));
  return known ? known.slice(1).replaceAll('/', '-') : 'site';
}

function cardMeta(appUrl: string, path: string): MetaEntry[] {
  return [
    { property: 'og:image', content: `${appUrl}/cards/${cardOf(path)}.png` },
    { property: 'og:image:type', content: 'image/png' },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: m.site_card_alt() },
  ];
}

export function unlistedMeta({ siteName }: PublicSite, title: string): MetaEntry[] {
  return [{ title: m.site_page_title({ title, site: siteName }) }, { name: 'robots', content: 'noindex' }];
}

/** The `meta` of pages that search engines don't list. */
export function unlisted(title: () => string) {
  return ({ matches }: { matches: Matches }) => unlistedMeta(siteHead(matches).site, title());
}

export function organization({ site, appUrl }: SiteHead): Readonly<Record<string, unknown>> {
  return {
    '@type': ['Organization', 'MedicalBusiness'],
    '@id': `${appUrl}/#organization`,
    name: site.siteName,
    url: `${appUrl}/`,
    description: site.siteDescription,
    email: site.supportEmail,
    logo: `${appUrl}/icons/icon-512.png`,
  };
}

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

/** Returns root loader data; if the root had failed, the error screen would be rendered. */
export function siteHead(matches: Matches): SiteHead {
  return matches.find((match) => match?.id === 'root')?.loaderData as SiteHead;
}
