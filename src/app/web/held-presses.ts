/**
 * Inline script that queues button clicks until hydration, then replays them: slow phones would lose them. Links and
 * native forms work without script and pass through.
 */
export const holdPresses = `(() => {
  const held = new Set();
  const hold = (event) => {
    const button = event.target.closest('button:not([type=submit])');
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held.add(button);
  };
  document.addEventListener('click', hold, true);
  document.addEventListener('page-ready', () => {
    document.removeEventListener('click', hold, true);
    for (const button of held) button.click();
  }, { once: true });
})()`;
