import { useEffect, type RefObject } from 'react';

/** What can stand in for a thing that was in it, by its heading where that can take the focus: a screen reader names it, and Tab goes on from there. */
const parts = 'section,[role="tabpanel"],main';
const dialogs = '[role="dialog"],[role="alertdialog"]';

/**
 * What has the focus may go: a button whose work is done, a row, what opened a dialog. The browser then leaves the
 * focus nowhere; this gives it to the closest part of the page around it that is still there.
 */
export function useKeptFocus(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Element | null = null;
    let around: (HTMLElement | null)[] = [];
    const remember = ({ target }: FocusEvent) => {
      // A dialog gives the focus back to what opened it, which is remembered.
      if (!(target instanceof Element) || target.closest(dialogs)) return;
      last = target;
      around = [];
      for (let part = target.closest<HTMLElement>(parts); part;) {
        around.push(part);
        part = part.parentElement?.closest<HTMLElement>(parts) ?? null;
      }
      around.push(main.current);
    };
    // Whoever presses beside it has left it on purpose, but not in a dialog that it opened: what is done there may take
    // it away before the dialog closes. A second press on what has the focus brings no new focus.
    const forget = ({ target }: PointerEvent) => {
      if (target instanceof Element && (last?.contains(target) || target.closest(dialogs))) return;
      last = null;
    };
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      const part = around.find((one) => one?.isConnected);
      if (!part) return;
      const heading = part.matches('section') && part.querySelector<HTMLElement>('h2[tabindex]');
      const place = heading || part;
      if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
      place.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', remember);
    document.addEventListener('pointerdown', forget);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      document.removeEventListener('pointerdown', forget);
      observer.disconnect();
    };
  }, [main]);
}
