import {
  test as base,
  expect,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test';
import { startProduct, type Product } from '../../../scripts/product.ts';
import { isLeftOut } from './sample.ts';

/** Demo accounts; any other email address signs in as a new client. */
export type Who = 'client' | 'doctor' | 'pastor' | 'admin' | (string & {});

export const password = 'peace-be-with-you';

function addressOf(who: Who): string {
  return who.includes('@') ? who : `${who}@italk.example`;
}

/** Signs in over the API, leaving the page first so it can't ask as someone else; it must still be opened. */
export async function signIn(page: Page, who: Who): Promise<void> {
  if (page.url() !== 'about:blank') await page.goto('about:blank');
  await call(page, '/api/auth/sign-in/email', { email: addressOf(who), password });
}

/** Reauthenticates over the API, which unlocks sensitive changes for a few minutes. */
export async function reauthenticate(page: Page): Promise<void> {
  await call(page, '/api/me/reauthentication', { password });
}

/** Clears the sign-in cookies, leaving the page first so it can't send further requests. */
export async function forgetSession(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/** Calls the product's API as the page's person; fails on error responses. */
export async function call<Answer>(page: Page, path: string, data: object): Promise<Answer> {
  const origin = originOf(page);
  const answer = await page.request.post(`${origin}${path}`, { headers: { origin }, data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as Answer;
}

const origins = new WeakMap<BrowserContext, string>();

function originOf(page: Page): string {
  const origin = origins.get(page.context());
  if (!origin) throw new Error('The page isn’t one that these fixtures opened.');
  return origin;
}

/**
 * Makes `goto` and `reload` wait for `data-ready`, because earlier key presses are lost. Tests of that moment pass
 * `waitUntil`.
 */
function waitUntilReady(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const ready = async () => {
    // Offline pages, files and immediate redirects don't load our script.
    const scripted = await page
      .evaluate(() => document.querySelector('script[type="module"]') !== null)
      .catch(() => false);
    if (scripted) await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  };
  page.goto = async (url, options) => {
    const answer = await goto(url, options);
    if (!options?.waitUntil) await ready();
    return answer;
  };
  page.reload = async (options) => {
    const answer = await reload(options);
    if (!options?.waitUntil) await ready();
    return answer;
  };
}

let people = 0;

/** Returns an unused address: in demo mode, signing in with it creates a client. */
export function someone(name = 'guest'): string {
  people += 1;
  return `${name}.${process.pid.toString(36)}${Date.now().toString(36)}${people}@italk.example`;
}

interface Fixtures {
  open: (options?: BrowserContextOptions) => Promise<Page>;
  expectNoise: (about: RegExp) => void;
  noise: Noise;
  sampling: void;
}

interface Noise {
  errors: string[];
  expected: RegExp[];
  listen: (context: BrowserContext, options?: BrowserContextOptions) => Promise<void>;
}

/** Background requests that crossed a sign-out: a tab's offline copy, and unread messages. */
const crossed = /status of 401 .*\/api\/(?:appointments\?from=.*&limit=20|conversations\/unread)\)/;

/**
 * Runs one product per worker on a fresh database. Any unexpected console error, uncaught exception or CSP violation
 * fails the test.
 */
export const test = base.extend<Fixtures, { product: Product }>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const product = await startProduct({ env: { RATE_LIMIT_FACTOR: '1000' } });
      await use(product);
      await product.stop();
    },
    { scope: 'worker' },
  ],
  sampling: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use, { tags, file, skip }) => {
      skip(tags.includes('@long') && isLeftOut(file));
      await use();
    },
    { auto: true },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  noise: async ({ product }, use) => {
    const noise: Noise = {
      errors: [],
      expected: [crossed],
      async listen(context, options) {
        origins.set(context, product.url);
        if (options?.javaScriptEnabled !== false) context.on('page', waitUntilReady);
        context.on('weberror', (error) => noise.errors.push(String(error.error().stack ?? error.error())));
        context.on('console', (message) => {
          if (message.type() === 'error') noise.errors.push(`${message.text()} (${message.location().url})`);
        });
        // The console misses some violations, such as a script that catches a refused `eval`.
        await context.addInitScript(() =>
          document.addEventListener(
            'securitypolicyviolation',
            ({ violatedDirective, blockedURI, sourceFile }) =>
              console.error(`Refused by the policy: ${violatedDirective} ${blockedURI} ${sourceFile}`),
          ),
        );
      },
    };
    await use(noise);
    const unexpected = noise.errors.filter((text) => !noise.expected.some((about) => about.test(text)));
    expect(unexpected, 'the browser complained').toEqual([]);
  },
  expectNoise: async ({ noise }, use) => use((about) => noise.expected.push(about)),
  context: async ({ context, noise }, use) => {
    await noise.listen(context);
    await use(context);
  },
  open: async ({ browser, noise }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      await noise.listen(context, options);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

export { expect };
