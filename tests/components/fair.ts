import axe from 'axe-core';
import { expect } from 'vitest';
import { cdp, page } from 'vitest/browser';
import { proving } from '../support/prove.ts';

export const phone = { width: 390, height: 844 } as const;
export const desktop = { width: 1280, height: 900 } as const;
/** Minimum width for reflow (WCAG 2.2, 1.4.10), in CSS pixels. */
const narrow = { width: 320, height: 640 } as const;

/**
 * Checks axe rules on phones, dark-mode colors on desktops, and horizontal scrolling at 320 px. Axe dominates test
 * time: only `npm run prove` checks all four combinations.
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

/** Runs axe, optionally with only some rules. */
export async function expectNoViolation(what: string, rules?: string[]): Promise<void> {
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

/** Runs `work` with dark mode emulated. */
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

/** Elements that overflow horizontally. */
function sideways(): string[] {
  return [document.documentElement, ...document.body.querySelectorAll('*')]
    .filter((one) => one === document.documentElement || /auto|scroll/.test(getComputedStyle(one).overflowX))
    .filter((one) => one.scrollWidth > one.clientWidth && one.role !== 'tablist' && !one.matches('nav > ul'))
    .map((one) => one.outerHTML.slice(0, 120));
}
