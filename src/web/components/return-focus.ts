/** Elements focused before each dialog opened, oldest first. */
const openers: HTMLElement[] = [];

const dialogs = '[role="dialog"],[role="alertdialog"]';

/** Call before the opening dialog takes focus. */
export function rememberFocus(): void {
  const active = document.activeElement;
  if (active instanceof HTMLElement && active !== document.body) openers.push(active);
}

/**
 * Restores focus as a dialog closes. Radix only does so for dialogs with a trigger; ours open by state. If one dialog
 * replaces another (sign in, then book), focus returns to the first one's opener.
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
