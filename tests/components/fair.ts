import axe from 'axe-core';
import { expect, inject } from 'vitest';
import { page } from 'vitest/browser';
import { proving } from '../support/prove.ts';
import { isInSample } from '../support/random.ts';
import { prefer, showing, showState } from './gallery.ts';
import { overlaps, sideways } from './measure.ts';

export const phone = { width: 390, height: 844 } as const;
export const desktop = { width: 1280, height: 900 } as const;
/** Minimum width for reflow (WCAG 2.2, 1.4.10), in CSS pixels. */
const narrow = { width: 320, height: 640 } as const;

const looks = [
  { name: 'on phones', size: phone, dark: false },
  { name: 'on desktops', size: desktop, dark: false },
  { name: 'in the dark on phones', size: phone, dark: true },
  { name: 'in the dark on desktops', size: desktop, dark: true },
] as const;

/**
 * Checks axe rules, and that nothing scrolls sideways or overlaps at 320 px. A fifth of test time, so `npm test` samples
 * the states and each sampled one's looks; `npm run gallery` measures every width.
 */
export async function expectFair(what: string): Promise<void> {
  if (showing) return showState(what);
  if (!proving && !isInSample(inject('seed'), what)) return;
  await page.viewport(narrow.width, narrow.height);
  expect([...sideways(), ...overlaps()], `${what} at ${narrow.width} px`).toEqual([]);
  for (const { name, size, dark } of proving ? looks : [looks[sumOf(what) % looks.length]!]) {
    await page.viewport(size.width, size.height);
    const check = () => expectNoViolation(`${what} ${name}`);
    await (dark ? inTheDark(check) : check());
  }
  await page.viewport(desktop.width, desktop.height);
}

function sumOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0);
}

/** Runs axe, optionally with only some rules. */
export async function expectNoViolation(what: string, rules?: string[]): Promise<void> {
  if (showing) return showState(what);
  await settled();
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    // Document-level rules: e2e tests check the app frame.
    rules: {
      region: { enabled: false },
      'document-title': { enabled: false },
      'html-has-lang': { enabled: false },
    },
    ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
  });
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
  }));
  expect(found, what).toEqual([]);
}

/** Resolves once colors have stopped changing: axe would measure one in between. */
async function settled(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

/** Runs `work` with dark mode emulated. */
async function inTheDark(work: () => Promise<void>): Promise<void> {
  await prefer('dark');
  try {
    await work();
  } finally {
    await prefer('light');
  }
}
