import { afterEach, expect, test } from 'vitest';
import { deviceZone } from '#/kernel/date-text.ts';
import { showOwnZone } from './times-script.ts';
import { shortDateText, openTimeText, zoneText } from './times.ts';

afterEach(() => document.body.replaceChildren());

/** A document's times in another zone, as the server writes them. */
function written(starts: readonly string[]): HTMLElement {
  const zone = 'Pacific/Kiritimati';
  const page = document.createElement('div');
  for (const start of starts) {
    const [date, time] = [shortDateText(start, zone), openTimeText(start, zone)];
    page.innerHTML += `<button data-start="${start}" aria-label="Book ${date}, ${time} with Dr. Ada">
      <span data-part="date">${date}</span> <span data-part="time">${time}</span></button>`;
  }
  page.innerHTML +=
    '<p><span data-own-zone="Times are in your time zone, *.">Times are elsewhere.</span></p>';
  document.body.replaceChildren(page);
  return page;
}

test('shows times in the visitor’s zone as the page’s own script would', () => {
  const day = Date.parse('2026-11-01T00:07Z');
  const starts = Array.from({ length: 96 }, (_, hour) => new Date(day + hour * 3_600_000).toISOString());
  const page = written(starts);
  const script = document.createElement('script');
  script.textContent = showOwnZone;
  document.body.append(script);
  const zone = deviceZone();
  const buttons = [...page.querySelectorAll('button')];
  expect(buttons.map((button) => button.ariaLabel)).toEqual(
    starts.map((start) => `Book ${shortDateText(start, zone)}, ${openTimeText(start, zone)} with Dr. Ada`),
  );
  expect(buttons.map((button) => button.textContent.replaceAll(/\s+/g, ' ').trim())).toEqual(
    starts.map((start) => `${shortDateText(start, zone)} ${openTimeText(start, zone)}`),
  );
  expect(page.querySelector('p')!.textContent).toBe(`Times are in your time zone, ${zoneText(zone)}.`);
});
