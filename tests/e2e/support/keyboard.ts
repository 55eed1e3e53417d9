import { expect, type Locator, type Page } from '@playwright/test';
import { unseenFocus } from './unseen-focus.ts';

/** Presses Tab until that control has the focus; at every stop the focus must be seen. */
export async function tabTo(page: Page, control: Locator, most = 80): Promise<void> {
  await expect(control).toBeVisible();
  // What came with the page hears nothing before its script runs, and would be passed.
  await expect.poll(() => control.evaluate((element) => element.matches(':disabled'))).toBe(false);
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    await expectFocusSeen(page);
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Not reached with ${most} presses of Tab: ${String(control)}`);
}

/** The focus stands on something that is in sight, not covered, and marked. */
export async function expectFocusSeen(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(unseenFocus), { intervals: [20, 50, 100] }).toBe(null);
}
