import { brotliCompressSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { findBrowser } from '../browser.ts';
import { chromiumArgs } from '../chromium.ts';
import type { Figure } from './figure.ts';

/** Script of a visit that only reads, and once a control is pointed at, in kilobytes. */
const aims = { read: 45, wanted: 116 };

export interface Looked {
  name: string;
  url: string;
  /** Script once wanted, in kilobytes. */
  maxWanted?: number;
  cookie?: string;
}

/** Measures documents' download sizes, and Lighthouse scores on a throttled phone profile. */
export async function benchWeight(
  documents: readonly Looked[],
  others: readonly Looked[],
): Promise<Figure[]> {
  const port = 9_300 + (process.pid % 500);
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: [`--remote-debugging-port=${port}`, ...chromiumArgs],
  });
  try {
    const figures: Figure[] = [];
    for (const page of documents) figures.push(...(await bytes(page, browser)));
    for (const page of [...documents, ...others]) figures.push(...(await lighthouseFigures(page, port)));
    return figures;
  } finally {
    await browser.close();
  }
}

async function bytes(
  { name, url, maxWanted = aims.wanted }: Looked,
  browser: Awaited<ReturnType<typeof chromium.launch>>,
): Promise<Figure[]> {
  const page = await browser.newPage();
  const bodies: Promise<Buffer>[] = [];
  const foreign: string[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).origin !== new URL(url).origin && !response.url().startsWith('data:'))
      foreign.push(response.url());
    if (!/javascript/.test(response.headers()['content-type'] ?? '')) return;
    bodies.push(response.body());
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  const read = await kilobytesOf(bodies);
  await page.getByRole('banner').getByRole('link').first().hover();
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  const wanted = await kilobytesOf(bodies);
  const css = await page.locator('style').first().textContent();
  await page.close();
  return [
    {
      name: `script that ${name} loads to be read (brotli)`,
      value: `${read.toFixed(1)} kB`,
      aim: `at most ${aims.read} kB`,
      met: read <= aims.read,
    },
    {
      name: 'script that it loads once wanted (brotli)',
      value: `${wanted.toFixed(1)} kB`,
      aim: `under ${maxWanted} kB`,
      met: wanted < maxWanted,
    },
    {
      name: 'style that stands in the page (brotli)',
      value: `${(brotliCompressSync(css ?? '').byteLength / 1000).toFixed(1)} kB`,
      aim: 'printed',
      met: true,
    },
    { name: 'requests to other hosts', value: String(foreign.length), aim: '0', met: foreign.length === 0 },
  ];
}

async function kilobytesOf(bodies: readonly Promise<Buffer>[]): Promise<number> {
  const sizes = (await Promise.all(bodies)).map((body) => brotliCompressSync(body).byteLength);
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

/** Scores under 100 here are page defects; the others vary by machine or indexing. */
const musts = ['accessibility', 'best-practices'];

async function lighthouseFigures({ name, url, cookie }: Looked, port: number): Promise<Figure[]> {
  const result = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    formFactor: 'mobile',
    throttlingMethod: 'devtools',
    // Search engines don't index signed-in pages.
    onlyCategories: ['performance', 'accessibility', 'best-practices', ...(cookie ? [] : ['seo'])],
    ...(cookie ? { extraHeaders: { cookie } } : {}),
  });
  if (!result) throw new Error('Lighthouse gave no result.');
  const { categories, audits } = result.lhr;
  const lcp = audits['largest-contentful-paint']?.numericValue ?? Number.NaN;
  const scores = Object.entries(categories).map(([id, { score }]) => ({
    id,
    points: Math.round((score ?? 0) * 100),
  }));
  const lost = Object.values(audits)
    .filter(({ score, scoreDisplayMode }) => score !== null && score < 1 && scoreDisplayMode === 'binary')
    .map(({ id }) => id);
  return [
    {
      name: `Lighthouse, ${name}, phone, applied throttling`,
      value: [
        ...scores.map(({ id, points }) => `${id} ${points}`),
        `largest contentful paint ${(lcp / 1000).toFixed(2)} s`,
        ...(lost.length > 0 ? [`lost by ${lost.join(' ')}`] : []),
      ].join(', '),
      aim: '100 each, under 1.5 s',
      met: scores.every(({ points }) => points === 100) && lcp < 1_500,
      must: scores.some(({ id, points }) => musts.includes(id) && points < 100),
    },
  ];
}
