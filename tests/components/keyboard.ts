import { expect } from 'vitest';
import { userEvent, type Locator } from 'vitest/browser';

/** Presses Tab until that control has the focus; at every stop the focus must be seen. */
export async function tabTo(control: Locator, most = 80): Promise<void> {
  await expect.element(control).toBeEnabled();
  for (let presses = 0; presses < most; presses += 1) {
    await userEvent.keyboard('{Tab}');
    await expectFocusSeen();
    if (control.query() === document.activeElement) return;
  }
  throw new Error(`Not reached with ${most} presses of Tab: ${control.selector}`);
}

/** Goes to a control with Tab, wherever the focus is now, and presses a key on it, such as `{Enter}`. */
export async function press(control: Locator, key = '{Enter}'): Promise<void> {
  await tabTo(control);
  await userEvent.keyboard(key);
}

/** The focus stands on something that is in sight, not covered, and marked. */
export async function expectFocusSeen(): Promise<void> {
  await expect.poll(unseen, { interval: 20 }).toBe(null);
}

/** What is wrong with the focus, or null. */
function unseen(): string | null {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return 'nothing has the focus';
  // The browser itself marks the parts of a date or time field.
  if (focused instanceof HTMLInputElement && ['date', 'time'].includes(focused.type)) return null;
  const name = `${focused.tagName} “${(focused.getAttribute('aria-label') ?? focused.textContent).trim().slice(0, 60)}”`;
  if (!focused.matches(':focus-visible')) return `${name} doesn’t show its focus`;
  const label = focused.closest('label');
  const isMarked = (element: Element | null) => {
    if (!element) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
  };
  if (!isMarked(focused) && !isMarked(label)) return `${name} has no outline`;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const inset = 3;
  const points = [
    [(left + right) / 2, (top + bottom) / 2],
    [left + inset, top + inset],
    [right - inset, bottom - inset],
  ] as const;
  const seen = points.some(([x, y]) => {
    const hit = document.elementFromPoint(x, y);
    return hit && (focused.contains(hit) || (label?.contains(hit) ?? false));
  });
  return seen ? null : `${name} is out of sight or covered`;
}
