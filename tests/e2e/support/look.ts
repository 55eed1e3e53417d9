import { AxeBuilder } from '@axe-core/playwright';
import { errors, type Locator, type Page } from '@playwright/test';
import { expect } from './fixtures.ts';

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 900 };
/** Narrowest width in CSS pixels without sideways scrolling (WCAG 2.2, 1.4.10). */
const narrowest = 320;

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
        // Tab lists and portal navigation may scroll: they show an overflow hint.
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
  // Dark mode changes only colors, but overlaps can differ on phones.
  await expectNoViolation(page, `${what} in the dark`, ['color-contrast']);
  await page.setViewportSize(phone);
  await expectNoViolation(page, `${what} in the dark on phones`, ['color-contrast']);
  await page.setViewportSize(desktop);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectDrawn(page, what);
}

/**
 * Works around Chromium, which sometimes stops painting after size and color changes: bringing the page to the front
 * forces a frame.
 */
async function expectDrawn(page: Page, what: string): Promise<void> {
  const drawn = () => page.waitForFunction(() => true, null, { polling: 'raf', timeout: 5_000 });
  await drawn().catch(async (error: unknown) => {
    if (!(error instanceof errors.TimeoutError)) throw error;
    await page.bringToFront();
    await page.setViewportSize({ ...desktop, height: desktop.height - 1 });
    await page.setViewportSize(desktop);
    await expect(drawn(), `${what} is painted`).resolves.toBeTruthy();
  });
}

export async function expectNoViolation(page: Page, what: string, rules?: string[]): Promise<void> {
  await settled(page);
  // Legacy mode skips opening an extra page for iframes, which we don't use.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    // The walk counts headings; pages closed to a person have none.
    .disableRules('page-has-heading-one');
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
  }));
  expect(found, what).toEqual([]);
}

/** Resolves once colors have stopped changing: axe would measure one in between. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}
