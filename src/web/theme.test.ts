/// <reference types="node" />
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8');
const fonts = readFileSync(new URL('./fonts.css', import.meta.url), 'utf8');

/** Relative luminance (WCAG 2.2) of an OKLCH color, out-of-gamut channels clipped as browsers do. */
function luminance([lightness, chroma, hue]: Oklch): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  // Matrices from https://bottosson.github.io/posts/oklab/
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (channel: number) => Math.min(1, Math.max(0, channel));
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

type Oklch = readonly [lightness: number, chroma: number, hue: number];

/** Opaque color tokens in one style sheet block. */
function tokens(block: string): Map<string, Oklch> {
  const found = block.matchAll(/--color-([a-z-]+):\s*oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g);
  return new Map([...found].map(([, name = '', l, c, h]) => [name, [Number(l), Number(c), Number(h)]]));
}

const [lightCss = '', darkCss = ''] = css.split('@media (prefers-color-scheme: dark)');
const schemes = { light: tokens(lightCss), dark: tokens(darkCss) };

const surfaces = ['paper', 'card', 'sunken'];
const tiles = ['sea', 'dusk', 'wheat', 'leaf', 'plum', 'rose'];

const textPairs: [text: string, background: string][] = [
  ...surfaces.flatMap((surface): [string, string][] => [
    ['ink', surface],
    ['quiet', surface],
    ['primary', surface],
    ['primary-strong', surface],
    ['sage', surface],
    ['clay', surface],
  ]),
  ['on-primary', 'primary'],
  ['on-primary', 'primary-strong'],
  ['on-clay', 'clay'],
  ['on-clay', 'clay-strong'],
  ...['primary', 'sage', 'clay', 'gold'].flatMap((tone): [string, string][] => [
    ['ink', `${tone}-soft`],
    ['quiet', `${tone}-soft`],
  ]),
  ['primary', 'primary-soft'],
  ['sage', 'sage-soft'],
  ['clay', 'clay-soft'],
  ...tiles.map((tile): [string, string] => [`on-${tile}`, tile]),
];

const controlPairs: [mark: string, background: string][] = [
  ...surfaces.flatMap((surface): [string, string][] => [
    ['control', surface],
    ['primary', surface],
    ['clay', surface],
    ['gold-edge', surface],
  ]),
  ['primary', 'primary-soft'],
];

describe.each(Object.entries(schemes))('contrast, %s', (_scheme, colours) => {
  const ratio = (one: string, other: string) => {
    const pair = [one, other].map((name) => {
      const colour = colours.get(name);
      if (!colour) throw new Error(`no token --color-${name}`);
      return luminance(colour);
    });
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  };

  test.each(textPairs)('keeps %s readable on %s', (text, background) => {
    expect(ratio(text, background)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(controlPairs)('keeps %s distinguishable from %s', (mark, background) => {
    expect(ratio(mark, background)).toBeGreaterThanOrEqual(3);
  });
});

test('computes luminance correctly for colors with known ratios', () => {
  expect(luminance([1, 0, 0])).toBeCloseTo(1, 4);
  // sRGB red (#f00) and its WCAG luminance.
  expect(luminance([0.627955, 0.257683, 29.2339])).toBeCloseTo(0.2126, 3);
});

test('defines every light color in dark mode', () => {
  expect(new Set(schemes.dark.keys())).toEqual(new Set(schemes.light.keys()));
});

test('spends at most 80 kB per page on fonts', () => {
  const require = createRequire(import.meta.url);
  const files = [...fonts.matchAll(/url\('([^']+)'\)/g)].map(([, file = '']) => require.resolve(file));
  expect(files).toHaveLength(2);
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThanOrEqual(80_000);
});
