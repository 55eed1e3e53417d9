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

/** Goes to a control with Tab, wherever the focus is now, and presses a key on it. */
export async function press(page: Page, control: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

/** Goes to a field with Tab, and writes into it in place of what stands there. */
export async function typeInto(page: Page, field: Locator, words: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(words);
}

/** The dialog has just opened, and has taken the focus. */
export async function expectHoldsFocus(dialog: Locator): Promise<void> {
  await expect(dialog).toBeVisible();
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
}

/** What had the focus may be gone; the next key press has still to start from a place that says where one is. */
export async function expectFocusKept(page: Page, within = page.getByRole('main')): Promise<void> {
  // Not at the first look: a list that is fetched anew takes its rows away later.
  await page.waitForTimeout(300);
  const kept = () =>
    within.evaluate(
      (place) => document.activeElement !== document.body && place.contains(document.activeElement),
    );
  await expect.poll(kept, 'the focus is lost').toBe(true);
}

/** The focus stands on something that is in sight, not covered, and marked. */
export async function expectFocusSeen(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(unseenFocus), { intervals: [20, 50, 100] }).toBe(null);
}
