/**
 * Renders share cards (public/cards, 1200 × 630) and app icons (public/icons) from the pages' theme, fonts and
 * illustrations. Rerun after changing any of these or a title: `draw-cards.ts`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { findBrowser } from './browser.ts';
import { chromiumArgs } from './chromium.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const width = 1200;
const height = 630;

type Card = readonly [name: string, drawing: string, title: string, text: string, hue: string];

const cards: readonly Card[] = [
  ['site', 'path', 'Care for your mind and spirit', 'Christian doctors and pastors who listen', 'wheat'],
  ['services', 'window', 'Our services', 'Six ways to find care, for every season', 'sea'],
  ['service-individuals', 'path', 'Individual Healing', 'One-to-one care', 'sea'],
  ['service-couples', 'hands', 'Strengthening Bonds', 'Care for couples', 'rose'],
  ['service-families', 'table', 'Uniting Families in Faith', 'Care for families', 'wheat'],
  ['service-teens', 'window', 'Youth Guidance', 'Care for young people', 'leaf'],
  ['service-grief', 'olive-branch', 'Comfort & Healing', 'Care in grief', 'dusk'],
  ['service-spiritual', 'lamp', 'Faith Strengthening', 'Care for questions of faith', 'plum'],
  ['therapists', 'table', 'Our specialists', 'Licensed professionals who share your faith', 'leaf'],
  ['resources', 'lamp', 'Resources', 'To read, to hear, to watch', 'dusk'],
  ['devotional', 'olive-branch', 'Today’s devotional', 'A word of Scripture for every day', 'wheat'],
  ['about', 'hands', 'About us', 'For the mind and for the spirit', 'rose'],
  ['faq', 'lamp', 'Frequently asked questions', 'Answers in plain words', 'sea'],
  ['contact', 'letter', 'Contact us', 'We answer within 24 hours', 'leaf'],
];

const mark =
  '<path d="M18 52V29a14 14 0 0 1 28 0v23z" fill="#fdfaf3"/><path d="M22 52a10 10 0 0 1 20 0z" fill="#e3ae4b"/>';

/** Rounded icons, and full-bleed maskable ones with the logo inside the safe zone. */
const icons = [
  { name: 'icon-192', size: 192, rounded: true },
  { name: 'icon-512', size: 512, rounded: true },
  { name: 'maskable-512', size: 512, rounded: false },
  { name: 'apple-touch-icon', size: 180, rounded: false },
];

async function drawIcons(): Promise<void> {
  await mkdir(`${root}public/icons`, { recursive: true });
  for (const { name, size, rounded } of icons) {
    const inner = rounded
      ? mark
      : `<g transform="translate(32 33) scale(0.78) translate(-32 -35)">${mark}</g>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="${size}" height="${size}"><rect width="64" height="64" rx="${rounded ? 15 : 0}" fill="#0f5674"/>${inner}</svg>`;
    await sharp(Buffer.from(svg))
      .png({ palette: true, effort: 10 })
      .toFile(`${root}public/icons/${name}.png`);
  }
}

async function fontFace(family: string, file: string): Promise<string> {
  const bytes = await readFile(`${root}node_modules/@fontsource-variable/${file}`);
  return `@font-face{font-family:'${family}';font-weight:200 900;src:url(data:font/woff2;base64,${bytes.toString('base64')})}`;
}

const markup = 'virtual:markup';
const markupModule: Plugin = {
  name: 'markup',
  resolveId: (source) => (source === markup ? markup : null),
  load: (id) =>
    id === markup
      ? `import { createElement } from 'react';
         import { renderToStaticMarkup } from 'react-dom/server';
         export const markupOf = (component) => renderToStaticMarkup(createElement(component));`
      : null,
};

async function drawingOf(vite: ViteDevServer, name: string): Promise<string> {
  const { markupOf } = (await vite.ssrLoadModule(markup)) as { markupOf: (component: unknown) => string };
  const file: Record<string, unknown> = await vite.ssrLoadModule(
    `/src/web/components/illustrations/${name}.tsx`,
  );
  return markupOf(Object.values(file)[0]);
}

function pageOf([, , title, text, hue]: Card, drawing: string, css: string, fonts: string): string {
  return `<!doctype html><meta charset="utf-8"><style>${css}${fonts}
    body { margin: 0; width: ${width}px; height: ${height}px; overflow: hidden; display: grid;
      grid-template-columns: 1fr 500px; align-items: center; padding-left: 76px; box-sizing: border-box;
      background: linear-gradient(to left, var(--color-${hue}) 500px, var(--color-paper) 500px); font-family: 'Card Sans'; }
    .brand { display: flex; align-items: center; gap: 18px; font: 600 38px 'Card Serif'; color: var(--color-primary); }
    .brand svg { width: 68px; height: 68px; }
    h1 { margin: 52px 0 22px; font: 600 76px/1.08 'Card Serif'; letter-spacing: -0.015em; text-wrap: balance; }
    p { margin: 0; font-size: 35px; line-height: 1.35; color: var(--color-quiet); text-wrap: balance; }
    h1, p { padding-right: 56px; }
    .drawing svg { width: 400px; height: auto; margin: 0 50px; }
  </style>
  <div><div class="brand"><svg viewBox="0 0 64 64"><rect width="64" height="64" rx="15" fill="#0f5674"/>${mark}</svg>iTalk</div>
  <h1>${title.replaceAll('&', '&amp;')}</h1><p>${text}</p></div><div class="drawing">${drawing}</div>`;
}

async function drawCards(): Promise<void> {
  await mkdir(`${root}public/cards`, { recursive: true });
  const vite = await createServer({
    server: { middlewareMode: true },
    appType: 'custom',
    logLevel: 'warn',
    plugins: [markupModule],
  });
  const executablePath = await findBrowser();
  const browser = await chromium.launch({ executablePath, args: chromiumArgs });
  try {
    const { default: css } = (await vite.ssrLoadModule('/src/web/theme.css?inline')) as { default: string };
    const fonts = [
      await fontFace('Card Sans', 'source-sans-3/files/source-sans-3-latin-wght-normal.woff2'),
      await fontFace('Card Serif', 'source-serif-4/files/source-serif-4-latin-wght-normal.woff2'),
    ].join('');
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light' });
    for (const card of cards) {
      await page.setContent(pageOf(card, await drawingOf(vite, card[1]), css, fonts));
      await page.evaluate('document.fonts.ready');
      const png = await sharp(await page.screenshot())
        .png({ palette: true, quality: 88, effort: 10 })
        .toBuffer();
      await writeFile(`${root}public/cards/${card[0]}.png`, png);
      console.log(`${card[0]}.png  ${(png.length / 1024).toFixed(0)} kB`);
    }
  } finally {
    await browser.close();
    await vite.close();
  }
}

await drawIcons();
await drawCards();
