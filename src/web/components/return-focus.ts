/** The elements that had the focus when dialogs opened, oldest first. */
const openers: HTMLElement[] = [];

const dialogs = '[role="dialog"],[role="alertdialog"]';

/** To be called as a dialog opens, before it takes the focus. */
export function rememberFocus(): void {
  const active = document.activeElement;
  if (active instanceof HTMLElement && active !== document.body) openers.push(active);
}

/**
 * Gives the focus back as a dialog closes. Radix does so only for a dialog with a trigger of its own;
 * ours are opened by state, and one may take another's place (sign in, then book): the focus then
 * goes back to what opened the first.
 */
export function giveFocusBack(event: Event): void {
  event.preventDefault();
  while (openers.length > 0 && !openers.at(-1)?.isConnected) openers.pop();
  const opener = openers.at(-1);
  if (!opener) return;
  const other = document.querySelector(`:is(${dialogs})[data-state="open"]`);
  if (other && !opener.closest(dialogs)) return;
  openers.pop();
  opener.focus();
}
