/**
 * Inline script that queues button clicks until the page is ready, then repeats each once: slow phones would lose them.
 * Links, forms and popovers work without script and pass through. Once the page is late, a click is tried at once; React
 * stops clicks on parts it hasn't hydrated before they reach the button, so those stay queued.
 */
export const queueClicks = `(() => {
  const queued = new Set();
  let late = false;
  let repeating = false;
  const repeat = (button) => {
    const handled = () => queued.delete(button);
    button.addEventListener('click', handled, { once: true });
    repeating = true;
    button.click();
    repeating = false;
    button.removeEventListener('click', handled);
  };
  const queue = (event) => {
    const button = event.target.closest('button:not([type=submit], [popovertarget])');
    if (!button || repeating) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    queued.add(button);
    if (late) repeat(button);
  };
  document.addEventListener('click', queue, true);
  document.addEventListener('page-late', () => {
    late = true;
    queued.forEach(repeat);
  }, { once: true });
  document.addEventListener('page-ready', () => {
    document.removeEventListener('click', queue, true);
    queued.forEach(repeat);
  }, { once: true });
})()`;
