import {
  test as base,
  expect,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from '@playwright/test';
import { startProduct, type Product } from '../../../scripts/product.ts';

/** The demo's own accounts; anybody else signs in by an address, which makes a new client of them. */
export type Who = 'client' | 'doctor' | 'pastor' | 'admin' | (string & {});

/** The password of every demo account. */
export const password = 'peace-be-with-you';

/** The address of a demo account, or the address itself. */
function addressOf(who: Who): string {
  return who.includes('@') ? who : `${who}@italk.example`;
}

/** Signs the browser of this page in, past the form; the page itself has still to be opened. */
export async function signIn(page: Page, who: Who): Promise<void> {
  await call(page, '/api/auth/sign-in/email', { email: addressOf(who), password });
}

/** Confirms who is signed in once more, past the dialog; sensitive changes of the next minutes don't ask for it. */
export async function reauthenticate(page: Page): Promise<void> {
  await call(page, '/api/me/reauthentication', { password });
}

/** Lets the browser forget who was signed in, past the screens; its page is left first, which would ask on. */
export async function forgetSession(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/** Asks the product for something as the person of this page does, past the screens. Fails where it refuses. */
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
 * Lets `goto` and `reload` wait until the page takes input (`data-ready`): keys pressed before that are lost. A test of
 * just that moment passes `waitUntil`.
 */
function waitUntilReady(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const ready = async () => {
    // Offline pages, files and pages that redirect at once have no script of ours.
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

/** An address that nobody has yet: signing in with it in demo mode makes a client. */
export function someone(name = 'guest'): string {
  people += 1;
  return `${name}.${process.pid.toString(36)}${Date.now().toString(36)}${people}@italk.example`;
}

interface Fixtures {
  /** Opens a page in a browser profile of its own, as another person or another device. */
  open: (options?: BrowserContextOptions) => Promise<Page>;
  /** Lets the browser complain about something that a test brings about on purpose. */
  expectNoise: (about: RegExp) => void;
  noise: Noise;
}

interface Noise {
  heard: string[];
  expected: RegExp[];
  listen: (context: BrowserContext, options?: BrowserContextOptions) => Promise<void>;
}

/**
 * One running product for each worker, on a fresh database. Whatever the browser complains about (an error on the
 * console, an uncaught exception, a breach of the content policy), in any page of a test, fails that test.
 */
export const test = base.extend<Fixtures, { product: Product }>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures that are needed from this pattern
    async ({}, use) => {
      const product = await startProduct({ env: { RATE_LIMIT_FACTOR: '1000' } });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 200_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  noise: async ({ product }, use) => {
    const noise: Noise = {
      heard: [],
      expected: [],
      async listen(context, options) {
        origins.set(context, product.url);
        if (options?.javaScriptEnabled !== false) context.on('page', waitUntilReady);
        context.on('weberror', (error) => noise.heard.push(String(error.error().stack ?? error.error())));
        context.on('console', (message) => {
          if (message.type() === 'error') noise.heard.push(`${message.text()} (${message.location().url})`);
        });
        // Not all of it is on the console: a script that tries `eval` and catches the refusal leaves only this.
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
    const unexpected = noise.heard.filter((text) => !noise.expected.some((about) => about.test(text)));
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
