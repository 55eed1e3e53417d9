import { expect } from 'vitest';
import { userEvent, type Locator } from 'vitest/browser';
import { unseenFocus } from '../e2e/support/unseen-focus.ts';

/** Presses Tab until the control has focus, checking focus visibility at every stop. */
export async function tabTo(control: Locator, max = 80): Promise<void> {
  await expect.element(control).toBeEnabled();
  for (let presses = 0; presses < max; presses += 1) {
    await userEvent.keyboard('{Tab}');
    await expectFocusSeen();
    if (control.query() === document.activeElement) return;
  }
  throw new Error(`Not reached with ${max} presses of Tab: ${control.selector}`);
}

/** Tabs to a control and presses a key, such as `{Enter}`. */
export async function press(control: Locator, key = '{Enter}'): Promise<void> {
  await tabTo(control);
  await userEvent.keyboard(key);
}

/** Expects the focused element to be in view, uncovered and visibly marked. */
export async function expectFocusSeen(): Promise<void> {
  await expect.poll(unseenFocus, { interval: 20 }).toBe(null);
}
