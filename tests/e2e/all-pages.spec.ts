import type { Locator, Page } from '@playwright/test';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import type { Product } from '../../scripts/product.ts';
import routes from '../../src/app/web/routes.ts';
import { isInSample } from '../support/random.ts';
import { expect, signIn, test } from './support/fixtures.ts';
import { expectNoViolation } from './support/look.ts';
import { proving } from './support/sample.ts';

test.describe.configure({ mode: 'parallel' });

/** Narrowest width in CSS pixels without sideways scrolling (WCAG 2.2, 1.4.10). */
const narrowest = { width: 320, height: 640 };
/** Opening these would use up their single-use token. */
const once = /^\/(verify|reset-password)\?/;
/** After the # comes an emailed link's token, hidden from the server, rather than an element id. */
const keyed = /^\/(booking|invitation|client-invitation)#/;
const isPublic = /^\/(services?|therapists|resources|devotional|about|faq|contact|join)\b/;
/** Rules for whole documents. Component tests apply the others, as does `npm run prove`. */
const documentRules = ['document-title', 'html-has-lang', 'landmark-one-main', 'region'];
/** These lead to pages that no served HTML links to. */
const alwaysRendered = /^\/(home|messages|clients)?$/;
/** Pages opened per kind: some, such as weeks, link to the next one endlessly. */
const opened = 2;

/** Pages of one kind share a path, apart from ids, days and queries. */
function kindOf(path: string): string {
  return path.replace(/\?.*/, '').replace(/[\da-f-]{36}|\d\d-\d\d/, 'one');
}

/** Other pages' served HTML is checked. */
function isRendered(path: string, who: string): boolean {
  const name = `${who} ${kindOf(path)}`;
  return proving || alwaysRendered.test(path) || isInSample(Number(process.env.ITALK_SEED), name);
}

interface Found {
  links: string[];
  lost: string[];
  ids: string[];
  /** Links to other sites without `noreferrer` or `target="_blank"`. */
  referring: string[];
}

const everyone = ['guest', 'client', 'doctor', 'admin'] as const;
/** `npm test` walks as one of them. */
const walkers = everyone.filter(
  (_, at) => proving || at === Number(process.env.ITALK_SEED) % everyone.length,
);

for (const who of walkers) {
  test(`finds a heading, title, landmarks, help, enough width and valid links on every page, as ${who}`, async ({
    page,
    product,
    expectNoise,
  }) => {
    expectNoise(/status of (401|403|404|412)/);
    const outside: string[] = [];
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^(https?|wss?):/.test(protocol) && origin.replace(/^ws/, 'http') !== product.url)
        outside.push(`${page.url()} asks ${request.url()}`);
    });
    if (who !== 'guest') await signIn(page, who);
    await page.setViewportSize(narrowest);

    const from = new Map<string, string>();
    for (const path of ['/', '/home', '/dev/mail', ...(await addresses(product))]) from.set(path, 'a route');
    const links = new Set<string>();
    const anchors = new Map<string, string>();
    const ids = new Map<string, string[]>();
    const contacts = new Set<string>();
    const seen = new Map<string, number>();
    for (const [path, origin] of from) {
      const linked = origin !== 'a route';
      if (once.test(path) && linked) {
        expect((await page.request.get(path)).status(), `${path}, from ${origin}`).toBe(200);
        continue;
      }
      // Served HTML contains the page's links. Public pages differ little by viewer, and staff pages link to endless
      // weeks: guests render everything, clients their own pages, staff one page per route.
      const drawn =
        (who === 'guest' || (who === 'client' ? !isPublic.test(path) : !linked && !isPublic.test(path))) &&
        isRendered(path, who);
      const response = drawn ? await page.goto(path) : await page.request.get(path);
      if (linked) expect(response!.status(), `${path}, from ${origin}`).toBe(200);
      const found = drawn
        ? await walked(page, path, linked)
        : linksIn(await response!.text(), `${product.url}${path}`);
      expect(found.lost, `anchors on ${path}`).toEqual([]);
      expect(found.referring, `links on ${path} that tell another site where they were found`).toEqual([]);
      ids.set(path, found.ids);
      for (const link of found.links) {
        const url = new URL(link);
        if (['tel:', 'sms:', 'mailto:'].includes(url.protocol)) {
          contacts.add(link);
          continue;
        }
        if (url.origin !== product.url) continue;
        const target = `${url.pathname}${url.search}`;
        links.add(target);
        // Emails link to tokens.
        const token = path.startsWith('/dev/mail') || keyed.test(`${target}${url.hash}`);
        if (url.hash && !token) anchors.set(`${target}${url.hash}`, path);
        if (from.has(target)) continue;
        const kind = kindOf(target);
        const already = seen.get(kind) ?? 0;
        if (already >= opened) continue;
        seen.set(kind, already + 1);
        from.set(target, path);
      }
    }

    for (const [anchor, path] of anchors) {
      const [target, id] = anchor.split('#') as [string, string];
      if (!ids.has(target)) {
        await page.goto(target);
        ids.set(target, (await walked(page, target, true)).ids);
      }
      expect(ids.get(target), `${anchor}, from ${path}`).toContain(decodeURIComponent(id));
    }
    for (const contact of contacts)
      expect(contact).toMatch(/^(tel:\+?[\d-]{3,}|sms:\d{3,}\?&body=\w+|mailto:[^@\s]+@[^@\s]+\.[a-z]+)$/);
    expect([...contacts].toSorted()).toEqual(
      expect.arrayContaining(['sms:741741?&body=HOME', 'tel:911', 'tel:988']),
    );
    expect(outside).toEqual([]);
    if (who === 'guest') {
      // Reading public pages stores nothing on the device; an open sign-in form binds its passkey challenge to it.
      const cookies = (await page.context().cookies()).map(({ name }) => name);
      expect(cookies.filter((name) => name !== 'italk.passkey')).toEqual([]);
      expect(await page.evaluate(() => localStorage.length)).toBe(0);
    }
    if (who === 'client' || who === 'doctor')
      for (const kind of [/^\/messages$/, /^\/messages\/[\da-f-]{36}$/, /^\/messages\/new\?to=/])
        expect(
          [...links].filter((path) => kind.test(path)),
          String(kind),
        ).not.toEqual([]);
    const main = ['/services', '/therapists', '/service/individuals', '/service/spiritual', '/resources'];
    const more = ['/profile', '/contact', '/join', '/about', '/faq'];
    expect([...links]).toEqual(expect.arrayContaining([...main, ...more]));
  });
}

/** Checks the open page: one heading, a title, landmarks, no sideways scrolling, crisis help one key away. */
async function walked(page: Page, path: string, linked: boolean): Promise<Found> {
  // A link that is being tried, such as /verify, can lead to another page.
  await expect(page.locator('[role=status]:visible', { hasText: /Loading|…$/ })).toHaveCount(0);
  // Pages this person can't access show one sentence and no heading.
  if (linked) await expect(page.locator('h1'), `headings on ${path}`).toHaveCount(1);
  expect.soft(await page.title(), `the title of ${path}`).not.toBe('');
  await expectNoViolation(page, path, proving ? undefined : documentRules);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect.soft(wide, `${path} scrolls sideways`).toBeLessThanOrEqual(0);
  const found = linksIn(await page.content(), page.url());
  const help = await helpButton(page);
  await expect(help, path).toBeVisible();
  await help.focus();
  await page.keyboard.press('Enter');
  const crisis = page.getByRole('link', { name: /988/ }).and(page.locator(':popover-open a'));
  await expect(crisis, path).toBeVisible();
  return found;
}

async function helpButton(page: Page): Promise<Locator> {
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const scope = (await dialog.count()) > 0 ? dialog.last() : page.locator('body');
  return scope.getByRole('button', { name: 'Need help now?' }).first();
}

function linksIn(html: string, address: string): Found {
  const links = attributes(html, /<a\b[^>]*?\shref="([^"]*)"/g).map((href) => new URL(href, address));
  const ids = attributes(html, /<[a-z][^>]*?\sid="([^"]*)"/g);
  const { pathname, search } = new URL(address);
  const lost = links
    .filter(
      (link) =>
        link.hash &&
        link.pathname === pathname &&
        link.search === search &&
        !keyed.test(`${pathname}${link.hash}`),
    )
    .map(({ hash }) => decodeURIComponent(hash.slice(1)))
    .filter((id) => !ids.includes(id));
  const referring = [...html.matchAll(/<a\b[^>]*?\shref="https?:[^"]*"[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => new URL(attributes(tag, /\shref="([^"]*)"/g)[0]!).origin !== new URL(address).origin)
    .filter((tag) => !/\srel="[^"]*\bnoreferrer\b/.test(tag) || !/\starget="_blank"/.test(tag));
  return { links: links.map(({ href }) => href), ids, lost, referring };
}

function attributes(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, value]) => value!.replaceAll('&amp;', '&'));
}

/** Returns one address per product route; unknown routes fail the test. */
async function addresses(product: Product): Promise<string[]> {
  const [resource] = await product.query<{ id: string }>(
    `select id from resources where status = 'published' order by published_at desc limit 1`,
  );
  const [met] = await product.query<{ id: string; slug: string; client_id: string }>(
    `select appointments.id, slug, client_id from appointments join providers on providers.id = provider_id
      join users on users.id = provider_id where users.email = 'doctor@italk.example' limit 1`,
  );
  const [application] = await product.query<{ id: string }>('select id from provider_applications limit 1');
  const samples: Readonly<Record<string, string>> = {
    'service/:serviceId': 'service/grief',
    'therapists/:slug': `therapists/${met!.slug}`,
    'clients/:clientId': `clients/${met!.client_id}`,
    'resources/:resourceId': `resources/${resource?.id ?? '0190a0a0-0000-7000-8000-000000000000'}`,
    'author/:resourceId?': 'author',
    'admin/appointments/:appointmentId': `admin/appointments/${met!.id}`,
    'admin/applications/:applicationId': `admin/applications/${application!.id}`,
    'admin/people/:personId': `admin/people/${met!.client_id}`,
    'devotional/:day': 'devotional/03-02',
    'messages/new': `messages/new?to=${met!.client_id}`,
    'messages/:conversationId': 'messages/0190a0a0-0000-7000-8000-000000000000',
    'session/:appointmentId': `session/${met!.id}`,
    'booking/:token': 'booking/x',
    'continue/:provider': 'continue/church?code=x&state=x',
    'invitation/:token': 'invitation/x',
    verify: 'verify#x',
    'return-to-app': 'return-to-app#x',
    'address-change': 'address-change#x',
    'email-change': 'email-change#x',
    'reset-password': 'reset-password#x',
    unsubscribe: 'unsubscribe?token=x',
    '*': 'no/such/page',
  };
  const within = (parent: string, { path = '', children }: RouteConfigEntry): string[] => {
    const whole = [parent, path].filter(Boolean).join('/');
    return children ? children.flatMap((child) => within(whole, child)) : [samples[whole] ?? whole];
  };
  const found = routes.flatMap((one) => within('', one));
  expect(found.filter((path) => path.includes(':'))).toEqual([]);
  return [...found.map((path) => `/${path}`), '/?auth=1'];
}
