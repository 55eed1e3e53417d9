import { expect, type Locator, type Page } from '@playwright/test';
import { unseenFocus } from './unseen-focus.ts';

/** Presses Tab until the control has focus; checks visible focus at every stop. */
export async function tabTo(page: Page, control: Locator, max = 80): Promise<void> {
  await expect(control).toBeVisible();
  // Server-rendered controls stay disabled, and skipped by Tab, until the script runs.
  await expect.poll(() => control.evaluate((element) => element.matches(':disabled'))).toBe(false);
  for (let presses = 0; presses < max; presses += 1) {
    await page.keyboard.press('Tab');
    await expectFocusSeen(page);
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Not reached with ${max} presses of Tab: ${String(control)}`);
}

export async function expectFocusSeen(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(unseenFocus), { intervals: [20, 50, 100] }).toBe(null);
}
