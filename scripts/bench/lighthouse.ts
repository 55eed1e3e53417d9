import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { findBrowser } from '../browser.ts';
import { chromiumArgs } from '../chromium.ts';
import { median, type Figure } from './figure.ts';
import type { Looked } from './weight.ts';

const phone = {
  output: 'json',
  logLevel: 'error',
  formFactor: 'mobile',
  throttlingMethod: 'devtools',
} as const;

/** Lighthouse's scores of pages, on a throttled phone profile. */
export async function benchLighthouse(pages: readonly Looked[]): Promise<Figure[]> {
  return withBrowser(async (port) => {
    const figures: Figure[] = [];
    for (const page of pages) figures.push(...(await lighthouseFigures(page, port)));
    return figures;
  });
}

async function withBrowser(work: (port: number) => Promise<Figure[]>): Promise<Figure[]> {
  const port = 9_300 + (process.pid % 500);
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: [`--remote-debugging-port=${port}`, ...chromiumArgs],
  });
  try {
    return await work(port);
  } finally {
    await browser.close();
  }
}

/** Compares how long the page blocks, and its largest paint, with the same page without its script. */
export async function benchBlocking({ name, url }: Looked): Promise<Figure[]> {
  return withBrowser(async (port) => {
    const measured = async (blockedUrlPatterns: string[]) => {
      const runs: { tbt: number; lcp: number }[] = [];
      for (let round = 0; round < 3; round++) {
        const result = await lighthouse(url, {
          port,
          ...phone,
          onlyAudits: ['total-blocking-time', 'largest-contentful-paint'],
          blockedUrlPatterns,
        });
        const of = (id: string) => result!.lhr.audits[id]!.numericValue!;
        runs.push({ tbt: of('total-blocking-time'), lcp: of('largest-contentful-paint') });
      }
      return { tbt: median(runs.map(({ tbt }) => tbt)), lcp: median(runs.map(({ lcp }) => lcp)) };
    };
    const [ours, bare] = [await measured([]), await measured(['*.js'])];
    return [
      {
        name: `${name} blocks, against the same without script`,
        value: `${ours.tbt.toFixed(0)} against ${bare.tbt.toFixed(0)} ms; largest paint ${ours.lcp.toFixed(0)} against ${bare.lcp.toFixed(0)} ms`,
        aim: 'at most 1.2 times; paint within 50 ms',
        met: ours.tbt <= 1.2 * bare.tbt + 1 && ours.lcp <= bare.lcp + 50,
      },
    ];
  });
}

/** Scores under 100 here are page defects; the others vary by machine or indexing. */
const musts = ['accessibility', 'best-practices'];

async function lighthouseFigures({ name, url, cookie }: Looked, port: number): Promise<Figure[]> {
  const result = await lighthouse(url, {
    port,
    ...phone,
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
