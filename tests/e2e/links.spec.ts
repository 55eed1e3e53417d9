import type { Page } from '@playwright/test';
import { expect, signIn, test } from './support/fixtures.ts';

/** What one page says of where it leads. */
interface Found {
  links: string[];
  /** Anchors of this very page that lead nowhere. */
  lost: string[];
  ids: string[];
}

/** These would use up their token by being opened in a browser. */
const once = /^\/(verify|reset-password)\?/;
/** Of the mails, so many are opened. */
const mailsOpened = 4;

for (const who of ['guest', 'client', 'doctor', 'admin'] as const) {
  test(`every link that a ${who} meets leads somewhere, and nothing leaves the site`, async ({
    page,
    product,
  }) => {
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
    let mails = 0;
    for (const [path, origin] of from) {
      if (once.test(path)) {
        expect((await page.request.get(path)).status(), `${path}, from ${origin}`).toBe(200);
        continue;
      }
      const response = await page.goto(path);
      expect(response!.status(), `${path}, from ${origin}`).toBe(200);
      const found = await linksOf(page);
      expect(found.lost, `anchors on ${path}`).toEqual([]);
      ids.set(path, found.ids);
      for (const link of found.links) {
        const url = new URL(link);
        if (['tel:', 'sms:', 'mailto:'].includes(url.protocol)) {
          contacts.add(link);
          continue;
        }
        expect(url.origin, `${link} on ${path}`).toBe(product.url);
        const target = `${url.pathname}${url.search}`;
        if (url.hash) anchors.set(`${target}${url.hash}`, path);
        if (target.startsWith('/dev/mail?') && !from.has(target) && (mails += 1) > mailsOpened) continue;
        if (!from.has(target)) from.set(target, path);
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
    expect([...from.keys()]).toEqual(
      expect.arrayContaining(['/services', '/therapists', '/service/individuals', '/service/spiritual']),
    );
    // Rooms of later parts aren't named yet.
    expect(
      [...from.keys()].filter((path) => /^\/(admin|profile|resources|contact|about|faq)/.test(path)),
    ).toEqual([]);
  });
}

/** Waits until a page has all its parts, and reads its links. */
async function linksOf(page: Page): Promise<Found> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  return page.evaluate(() => {
    const anchors = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')];
    const own = anchors.filter(({ hash, pathname }) => hash && pathname === location.pathname);
    return {
      links: anchors.map(({ href }) => href),
      lost: own
        .map(({ hash }) => hash)
        .filter((hash) => !document.getElementById(decodeURIComponent(hash.slice(1)))),
      ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
    };
  });
}
