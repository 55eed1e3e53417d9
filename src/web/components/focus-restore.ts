import { useEffect, type RefObject } from 'react';

/**
 * Fallback focus targets, preferably through their heading: screen readers announce it, and Tab continues from there.
 */
const parts = 'section,[role="tabpanel"],main';
const dialogs = '[role="dialog"],[role="alertdialog"]';

/**
 * Restores focus when the focused element is removed, such as a finished button, a row or a dialog's opener. Browsers
 * drop it; this moves it to the closest remaining container.
 */
export function useFocusRestore(main: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Element | null = null;
    let around: (HTMLElement | null)[] = [];
    const remember = ({ target }: FocusEvent) => {
      // A closing dialog returns focus to its opener.
      if (!(target instanceof Element) || target.closest(dialogs)) return;
      last = target;
      around = [];
      for (let part = target.closest<HTMLElement>(parts); part;) {
        around.push(part);
        part = part.parentElement?.closest<HTMLElement>(parts) ?? null;
      }
      around.push(main.current);
    };
    // Clicking elsewhere means focus was left on purpose. Not inside a dialog, whose action may remove its opener, nor
    // on the focused element, which fires no focusin.
    const forget = ({ target }: PointerEvent) => {
      if (target instanceof Element && (last?.contains(target) || target.closest(dialogs))) return;
      last = null;
    };
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      const part = around.find((one) => one?.isConnected);
      if (!part) return;
      const heading = part.matches('section') && part.querySelector<HTMLElement>(':is(h2, h3)[tabindex]');
      const target = heading || part;
      if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
      target.focus({ preventScroll: true });
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

export function FocusRestore({ main }: { main: RefObject<HTMLElement | null> }) {
  useFocusRestore(main);
  return null;
}
