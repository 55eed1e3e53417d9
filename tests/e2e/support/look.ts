import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { expect } from './fixtures.ts';

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 900 };
/** The narrowest that text has to fit into (WCAG 2.2, 1.4.10), in CSS pixels. */
const narrowest = 320;

/** Holds what is shown against axe's rules on phones and desktops, and lets it be narrowed without scrolling sideways. */
export async function expectFair(
  page: Page,
  what: string,
  { dark = false, dialog }: { dark?: boolean; dialog?: Locator } = {},
): Promise<void> {
  await page.setViewportSize({ width: narrowest, height: 640 });
  const places = [page.locator('html'), ...(dialog ? [dialog] : [])];
  for (const place of places) {
    const sideways = await place.evaluate((element) =>
      [element, ...element.querySelectorAll('*')]
        .filter(
          (one) => one === document.documentElement || /auto|scroll/.test(getComputedStyle(one).overflowX),
        )
        // A list of tabs, or of the portal's parts, may be wider than a phone: it shows that it goes on.
        .filter(
          (one) => one.scrollWidth > one.clientWidth && one.role !== 'tablist' && !one.matches('nav > ul'),
        )
        .map((one) => one.outerHTML.slice(0, 120)),
    );
    expect(sideways, `${what} scrolls sideways at ${narrowest} px`).toEqual([]);
  }
  await page.setViewportSize(phone);
  await expectNoViolation(page, `${what} on phones`);
  await page.setViewportSize(desktop);
  await expectNoViolation(page, `${what} on desktops`);
  if (!dark) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  // Nothing but the colours is different; what stands on what may be another thing on a phone.
  await expectNoViolation(page, `${what} in the dark`, ['color-contrast']);
  await page.setViewportSize(phone);
  await expectNoViolation(page, `${what} in the dark on phones`, ['color-contrast']);
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectDrawn(page);
}

/**
 * Chromium was seen to draw a page no more after its size and colours had changed in a row: whatever is pressed then
 * waits for a picture. Brought to the front it is asked for one anew.
 */
async function expectDrawn(page: Page): Promise<void> {
  const drawn = () => page.waitForFunction(() => true, null, { polling: 'raf', timeout: 5_000 });
  await drawn().catch(async () => {
    await page.bringToFront();
    await page.setViewportSize({ ...desktop, height: desktop.height - 1 });
    await page.setViewportSize(desktop);
    await drawn();
  });
}

/** Holds what is shown now against axe's rules, or against some of them. */
export async function expectNoViolation(page: Page, what: string, rules?: string[]): Promise<void> {
  // There are no frames, for which it would otherwise open a page of its own each time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
  }));
  expect(found, what).toEqual([]);
}
