import { keptMark } from './offline/mark.ts';

/**
 * Inline script that starts a deferred page's own script (`app/documents.ts`) once someone points at a control, presses,
 * types or moves the focus. Starts at once if stored sessions may have to be erased.
 */
export const startWhenWanted = `(() => {
  const { nonce } = document.currentScript;
  const signs = ['pointerover', 'pointerdown', 'keydown', 'focusin', 'input'];
  let wanted = false;
  const start = () => {
    wanted = true;
    const deferred = document.querySelector('script[type=deferred]');
    // The page may still be arriving.
    if (!deferred) return;
    stop();
    const script = document.createElement('script');
    Object.assign(script, { type: 'module', nonce, textContent: deferred.textContent });
    document.body.append(script);
    // React expects the page as it was rendered.
    script.remove();
  };
  const onSign = ({ type, target }) => {
    if (type !== 'pointerover' || target.closest('a, button, input, select, textarea, summary, label')) start();
  };
  const stop = () => {
    for (const sign of signs) document.removeEventListener(sign, onSign, true);
  };
  const isAnythingKept = () => {
    try {
      return localStorage.getItem('${keptMark}') !== null;
    } catch {
      return false;
    }
  };
  for (const sign of signs) document.addEventListener(sign, onSign, { capture: true, passive: true });
  document.addEventListener('DOMContentLoaded', () => {
    if (!document.querySelector('script[type=deferred]')) stop();
    else if (wanted || isAnythingKept()) start();
  }, { once: true });
})()`;
