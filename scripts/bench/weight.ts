import { brotliCompressSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { findBrowser } from '../browser.ts';
import type { Figure } from './figure.ts';

const scriptAimKilobytes = 120;

/** Measures what the landing page loads, and how Lighthouse sees it on a phone with applied throttling. */
export async function benchWeight(url: string): Promise<Figure[]> {
  const port = 9_300 + (process.pid % 500);
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: [
      `--remote-debugging-port=${port}`,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
    ],
  });
  try {
    return [...(await bytes(url, browser)), ...(await lighthouseFigures(url, port))];
  } finally {
    await browser.close();
  }
}

async function bytes(url: string, browser: Awaited<ReturnType<typeof chromium.launch>>): Promise<Figure[]> {
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
  const script = (await Promise.all(bodies)).reduce(
    (sum, body) => sum + brotliCompressSync(body).byteLength,
    0,
  );
  const css = await page.locator('style').first().textContent();
  await page.close();
  const kilobytes = script / 1000;
  return [
    {
      name: 'script that the landing page loads (brotli)',
      value: `${kilobytes.toFixed(1)} kB`,
      aim: `under ${scriptAimKilobytes} kB`,
      met: kilobytes < scriptAimKilobytes,
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

async function lighthouseFigures(url: string, port: number): Promise<Figure[]> {
  const result = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    formFactor: 'mobile',
    throttlingMethod: 'devtools',
    onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
  });
  if (!result) throw new Error('Lighthouse gave no result.');
  const { categories, audits } = result.lhr;
  const lcp = audits['largest-contentful-paint']?.numericValue ?? Number.NaN;
  const scores = Object.entries(categories).map(([id, { score }]): Figure => {
    const points = Math.round((score ?? 0) * 100);
    return {
      name: `Lighthouse ${id}, phone, applied throttling`,
      value: String(points),
      aim: '100',
      met: points === 100,
    };
  });
  return [
    ...scores,
    {
      name: 'largest contentful paint',
      value: `${(lcp / 1000).toFixed(2)} s`,
      aim: 'under 1.5 s',
      met: lcp < 1_500,
    },
  ];
}
