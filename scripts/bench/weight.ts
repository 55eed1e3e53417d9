import { chromium, type Browser } from '@playwright/test';
import { findBrowser } from '../browser.ts';
import { chromiumArgs } from '../chromium.ts';
import type { Figure } from './figure.ts';

/** Of the landing page: in all and its script, in kilobytes as sent. */
const aims = { all: 130, script: 45 };
/** Of a page for people who are signed in. */
const signedInAims = { script: 150, files: 12, requests: 3, readyMs: 1_500, nextPageMs: 300 };

/** Lighthouse's slow 4G, in milliseconds and bytes per second, and a processor four times slower. */
const slow4G = { latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const slowdown = 4;

export interface Looked {
  name: string;
  url: string;
  /** Script once wanted, in kilobytes. */
  maxWanted?: number;
  cookie?: string;
}

/** Measures what pages download, and how long people wait for them on a slow phone. */
export async function benchWeight(
  documents: readonly Looked[],
  signedIn: readonly Looked[],
): Promise<Figure[]> {
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: [...chromiumArgs] });
  try {
    const figures: Figure[] = [];
    for (const page of documents) figures.push(...(await documentFigures(page, browser)));
    // In its first seconds, a process lets pages load again what it may have missed.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    for (const page of signedIn) figures.push(...(await signedInFigures(page, browser)));
    figures.push(...(await clickFigures(signedIn[0]!, browser)));
    return figures;
  } finally {
    await browser.close();
  }
}

/** Opens a page of its own for someone, and counts what it loads. */
async function watchedPage({ url, cookie }: Looked, browser: Browser) {
  const context = await browser.newContext();
  if (cookie) {
    const [name, value] = cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url }]);
  }
  const page = await context.newPage();
  const loaded: Promise<{ type: string; bytes: number; path: string }>[] = [];
  const foreign = new Set<string>();
  page.on('requestfinished', (request) => {
    const { origin, pathname, protocol } = new URL(request.url());
    if (protocol === 'data:') return;
    if (origin !== new URL(url).origin) foreign.add(origin);
    const size = request.sizes().then(({ responseBodySize }) => responseBodySize);
    loaded.push(size.then((bytes) => ({ type: request.resourceType(), bytes, path: pathname })));
  });
  const kilobytes = async (type?: string) =>
    (await Promise.all(loaded))
      .filter((one) => !type || one.type === type)
      .reduce((sum, { bytes }) => sum + bytes, 0) / 1_000;
  return { context, page, foreign, kilobytes, loaded: () => Promise.all(loaded) };
}

async function documentFigures(looked: Looked, browser: Browser): Promise<Figure[]> {
  const { name, url, maxWanted = aims.script } = looked;
  const { context, page, foreign, kilobytes } = await watchedPage(looked, browser);
  await page.goto(url, { waitUntil: 'networkidle' });
  const [all, read] = [await kilobytes(), await kilobytes('script')];
  await page.getByRole('banner').getByRole('link').first().hover();
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  const wanted = await kilobytes('script');
  await context.close();
  return [
    {
      name: `a first visit to ${name}, everything`,
      value: `${all.toFixed(1)} kB`,
      aim: `at most ${aims.all} kB`,
      met: all <= aims.all,
    },
    {
      name: `its script, to be read and once wanted`,
      value: `${read.toFixed(1)} and ${wanted.toFixed(1)} kB`,
      aim: `at most ${maxWanted} kB once wanted`,
      met: wanted <= maxWanted,
    },
    { name: 'requests to other hosts', value: String(foreign.size), aim: '0', met: foreign.size === 0 },
  ];
}

async function signedInFigures(looked: Looked, browser: Browser): Promise<Figure[]> {
  const { name, url } = looked;
  const { context, page, kilobytes, loaded } = await watchedPage(looked, browser);
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  const all = await loaded();
  const files = all.filter(({ type }) => type === 'script').length;
  const requests = all.filter(({ path }) => path.startsWith('/api/') || path.endsWith('.data'));
  const script = await kilobytes('script');
  await context.close();
  const readyMs = await readyAfter(looked, browser);
  return [
    {
      name: `${name}: script, files, data requests after the document`,
      value: `${script.toFixed(1)} kB, ${files}, ${requests.length} (${requests.map(({ path }) => path).join(' ')})`,
      aim: `at most ${signedInAims.script} kB, ${signedInAims.files}, ${signedInAims.requests}`,
      met:
        script <= signedInAims.script &&
        files <= signedInAims.files &&
        requests.length <= signedInAims.requests,
    },
    {
      name: `${name}: input heard, slow 4G and a processor ${slowdown} times slower`,
      value: `${(readyMs / 1_000).toFixed(2)} s`,
      aim: `at most ${signedInAims.readyMs / 1_000} s`,
      met: readyMs <= signedInAims.readyMs,
    },
  ];
}

async function slowPage(looked: Looked, browser: Browser) {
  const { context, page } = await watchedPage(looked, browser);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...slow4G });
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return { context, page };
}

/** Milliseconds until the page hears input, on its first visit. */
async function readyAfter(looked: Looked, browser: Browser): Promise<number> {
  const { context, page } = await slowPage(looked, browser);
  await page.addInitScript(`new MutationObserver((_, observer) => {
    if (!document.documentElement.hasAttribute('data-ready')) return;
    window.readyAt = performance.now();
    observer.disconnect();
  }).observe(document, { attributes: true, subtree: true })`);
  await page.goto(looked.url);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  const at = await page.evaluate<number>('window.readyAt');
  await context.close();
  return at;
}

/** From the press on a link, pointed at for a moment, until the next page's heading. */
async function clickFigures(looked: Looked, browser: Browser): Promise<Figure[]> {
  const { context, page } = await slowPage(looked, browser);
  await page.goto(looked.url, { waitUntil: 'networkidle' });
  const figures: Figure[] = [];
  for (const name of ['Profile', 'Resources', 'Home']) {
    const link = page.getByRole('banner').getByRole('link', { name, exact: true });
    await link.hover();
    await page.waitForTimeout(300);
    const shown = page.evaluate<number>(`new Promise((resolve) => {
      const before = document.title;
      let pressed = 0;
      document.addEventListener('click', () => (pressed = performance.now()), { capture: true, once: true });
      const look = () =>
        document.title === before ? requestAnimationFrame(look) : resolve(performance.now() - pressed);
      look();
    })`);
    await link.click();
    const took = await shown;
    await page.waitForLoadState('networkidle');
    figures.push({
      name: `from a press to ${name}, slow 4G and a processor ${slowdown} times slower`,
      value: `${took.toFixed(0)} ms`,
      aim: `at most ${signedInAims.nextPageMs} ms`,
      met: took <= signedInAims.nextPageMs,
    });
  }
  await context.close();
  return figures;
}
