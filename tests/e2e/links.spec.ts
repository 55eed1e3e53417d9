import type { Page } from '@playwright/test';
import { expect, signIn, test } from './support/fixtures.ts';

/** What one page says of where it leads. */
interface Found {
  links: string[];
  /** Anchors of this very page that lead nowhere. */
  lost: string[];
  ids: string[];
  /** Links to other sites that would tell them of this one, or take its place. */
  telling: string[];
}

/** These would use up their token by being opened in a browser. */
const once = /^\/(verify|reset-password)\?/;
/** Of pages of one kind, which lead on to each other, so many are opened. */
const manyOf = [/^\/dev\/mail\?/, /^\/devotional\//];
const opened = 4;

for (const who of ['guest', 'client', 'doctor', 'admin'] as const) {
  test(`every link that a ${who} meets leads somewhere, and nothing leaves the site`, async ({
    page,
    product,
  }) => {
    // It opens every page there is, also of those whom other journeys have made.
    test.setTimeout(300_000);
    const outside: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.origin !== product.url && !['data:', 'blob:'].includes(url.protocol))
        outside.push(request.url());
    });
    if (who !== 'guest') await signIn(page, who);

    const from = new Map<string, string>(['/', '/home', '/dev/mail'].map((path) => [path, 'the start']));
    const anchors = new Map<string, string>();
    const ids = new Map<string, string[]>();
    const contacts = new Set<string>();
    const seen = new Map<RegExp, number>();
    for (const [path, origin] of from) {
      if (once.test(path)) {
        expect((await page.request.get(path)).status(), `${path}, from ${origin}`).toBe(200);
        continue;
      }
      // Public pages have all their links in the HTML: guests have seen them run.
      const runs = who === 'guest' || /^\/(home|dev\/mail)/.test(path) || path === '/';
      const response = runs ? await page.goto(path) : await page.request.get(path);
      expect(response!.status(), `${path}, from ${origin}`).toBe(200);
      const found = runs ? await linksOf(page) : linksIn(await response!.text(), `${product.url}${path}`);
      expect(found.lost, `anchors on ${path}`).toEqual([]);
      expect(found.telling, `links on ${path} that tell another site where they were found`).toEqual([]);
      ids.set(path, found.ids);
      for (const link of found.links) {
        const url = new URL(link);
        if (['tel:', 'sms:', 'mailto:'].includes(url.protocol)) {
          contacts.add(link);
          continue;
        }
        if (url.origin !== product.url) continue;
        const target = `${url.pathname}${url.search}`;
        if (url.hash) anchors.set(`${target}${url.hash}`, path);
        if (from.has(target)) continue;
        const kind = manyOf.find((pattern) => pattern.test(target));
        const already = kind ? (seen.get(kind) ?? 0) : 0;
        if (already >= opened) continue;
        if (kind) seen.set(kind, already + 1);
        from.set(target, path);
      }
    }

    for (const [anchor, path] of anchors) {
      const [target, id] = anchor.split('#') as [string, string];
      expect(ids.get(target), `${anchor}, from ${path}`).toContain(decodeURIComponent(id));
    }
    for (const contact of contacts) {
      expect(contact).toMatch(/^(tel:\+?[\d-]{3,}|sms:\d{3,}\?&body=\w+|mailto:[^@\s]+@[^@\s]+\.[a-z]+)$/);
    }
    expect([...contacts].toSorted()).toEqual(
      expect.arrayContaining(['sms:741741?&body=HOME', 'tel:911', 'tel:988']),
    );
    expect(outside).toEqual([]);
    if (who === 'guest') {
      // Who only reads is given nothing to keep.
      expect(await page.context().cookies()).toEqual([]);
      expect(await page.evaluate(() => localStorage.length)).toBe(0);
    }
    if (who === 'client' || who === 'doctor')
      for (const kind of [/^\/messages$/, /^\/messages\/[\da-f-]{36}$/, /^\/messages\/new\?to=/])
        expect(
          [...from.keys()].filter((path) => kind.test(path)),
          String(kind),
        ).not.toEqual([]);
    expect([...from.keys()]).toEqual(
      expect.arrayContaining([
        '/services',
        '/therapists',
        '/service/individuals',
        '/service/spiritual',
        '/resources',
        '/profile',
        '/contact',
        '/join',
        '/about',
        '/faq',
        '/admin/settings',
      ]),
    );
  });
}

/** Waits until a page has all its parts, and reads its links. */
async function linksOf(page: Page): Promise<Found> {
  // Also where a dialog that asks to sign in stands before it.
  await expect(page.locator('h1').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  return linksIn(await page.content(), page.url());
}

/** The links of a page that was served or is shown, and the ids that they can lead to. */
function linksIn(html: string, address: string): Found {
  const links = attributes(html, /<a\b[^>]*?\shref="([^"]*)"/g).map((href) => new URL(href, address));
  const ids = attributes(html, /<[a-z][^>]*?\sid="([^"]*)"/g);
  const { pathname } = new URL(address);
  const lost = links
    .filter((link) => link.hash && link.pathname === pathname)
    .map(({ hash }) => decodeURIComponent(hash.slice(1)))
    .filter((id) => !ids.includes(id));
  const telling = [...html.matchAll(/<a\b[^>]*?\shref="https?:[^"]*"[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => new URL(attributes(tag, /\shref="([^"]*)"/g)[0]!).origin !== new URL(address).origin)
    .filter((tag) => !/\srel="[^"]*\bnoreferrer\b/.test(tag) || !/\starget="_blank"/.test(tag));
  return { links: links.map(({ href }) => href), ids, lost, telling };
}

function attributes(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, value]) => value!.replaceAll('&amp;', '&'));
}
