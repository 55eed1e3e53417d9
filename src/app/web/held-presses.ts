/**
 * Inline script that keeps presses of buttons until the page takes input, and then carries them out: on a slow phone a
 * press would otherwise be lost. Links and native forms work without script and pass.
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
