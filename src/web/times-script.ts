/** Inline script that shows the open times before it in the visitor's time zone, as `times.ts` would. */
export const showOwnZone = `(() => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const dates = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone });
  const clock = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hour12: true, timeZone });
  const wordsOf = (start) => {
    const part = Object.fromEntries(clock.formatToParts(start).map(({ type, value }) => [type, value]));
    return { date: dates.format(start), time: part.hour + ':' + part.minute + ' ' + part.dayPeriod };
  };
  for (const button of document.querySelectorAll('[data-start]')) {
    const words = wordsOf(new Date(button.dataset.start));
    for (const part of button.querySelectorAll('[data-part]')) {
      const word = words[part.dataset.part];
      button.ariaLabel = button.ariaLabel.replace(part.textContent, word);
      part.textContent = word;
    }
  }
  for (const line of document.querySelectorAll('[data-own-zone]'))
    line.textContent = line.dataset.ownZone.replace('*', timeZone.split('/').at(-1).replaceAll('_', ' '));
})()`;
