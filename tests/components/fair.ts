import axe from 'axe-core';
import { expect } from 'vitest';
import { cdp, page } from 'vitest/browser';
import { proving } from '../support/prove.ts';

export const phone = { width: 390, height: 844 } as const;
export const desktop = { width: 1280, height: 900 } as const;
/** The narrowest that text has to fit into (WCAG 2.2, 1.4.10), in CSS pixels. */
const narrow = { width: 320, height: 640 } as const;

/**
 * Holds what is shown against axe's rules on phones, and its colors in the dark on desktops; nothing scrolls sideways at
 * 320 px. Axe is most of what a component test costs: only `npm run prove` looks in all four ways.
 */
export async function expectFair(what: string): Promise<void> {
  await page.viewport(narrow.width, narrow.height);
  expect(sideways(), `${what} scrolls sideways at ${narrow.width} px`).toEqual([]);
  await page.viewport(phone.width, phone.height);
  await expectNoViolation(`${what} on phones`);
  if (proving) await inTheDark(() => expectNoViolation(`${what} in the dark on phones`, ['color-contrast']));
  await page.viewport(desktop.width, desktop.height);
  if (proving) await expectNoViolation(`${what} on desktops`);
  await inTheDark(() => expectNoViolation(`${what} in the dark`, ['color-contrast']));
}

/** Holds what is shown now against axe's rules, or against some of them. */
export async function expectNoViolation(what: string, rules?: string[]): Promise<void> {
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    // What a whole document has stands in the product's own frame, which journeys look at.
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

/** Runs while the browser prefers dark colors. */
async function inTheDark(work: () => Promise<void>): Promise<void> {
  await prefer('dark');
  try {
    await work();
  } finally {
    await prefer('light');
  }
}

async function prefer(value: 'dark' | 'light'): Promise<void> {
  await cdp().send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ],
  });
}

/** What is wider than its place and can be scrolled to the side. */
function sideways(): string[] {
  return [document.documentElement, ...document.body.querySelectorAll('*')]
    .filter((one) => one === document.documentElement || /auto|scroll/.test(getComputedStyle(one).overflowX))
    .filter((one) => one.scrollWidth > one.clientWidth && one.role !== 'tablist' && !one.matches('nav > ul'))
    .map((one) => one.outerHTML.slice(0, 120));
}
