import { expect, test } from 'vitest';
import { dayIn, zoneToAsk } from './rules.ts';

const site = 'America/New_York';
const zones = ['Pacific/Auckland', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', site];

/** Date finally shown and number of refetches; `first` is the URL's time zone. */
function visit(own: string, at: Temporal.Instant, first: string | null = null) {
  let asked = first;
  for (let again = 0; ; again++) {
    const shown = dayIn(asked ?? site, at);
    const zone = zoneToAsk({ shown, here: dayIn(own, at), asked, own });
    if (zone === null) return { shown, again };
    asked = zone;
  }
}

test('shows each visitor the local date, different in Auckland and Los Angeles', () => {
  const at = Temporal.Instant.from('2026-03-02T11:30:00Z');
  expect(visit('Pacific/Auckland', at)).toEqual({ shown: '03-03', again: 1 });
  expect(visit('America/Los_Angeles', at)).toEqual({ shown: '03-02', again: 0 });
  const later = Temporal.Instant.from('2026-03-03T05:30:00Z');
  expect(visit('Pacific/Auckland', later)).toEqual({ shown: '03-03', again: 0 });
  expect(visit('America/Los_Angeles', later)).toEqual({ shown: '03-02', again: 1 });
});

test('shows the visitor’s local day for any URL and hour, refetching at most once', () => {
  for (let hour = 0; hour < 48; hour++) {
    const at = Temporal.Instant.from('2028-02-28T00:30:00Z').add({ hours: hour });
    for (const own of zones) {
      for (const first of [null, ...zones]) {
        const { shown, again } = visit(own, at, first);
        expect(shown, `${own} at ${at.toString()}, opened for ${first}`).toBe(dayIn(own, at));
        expect(again).toBeLessThanOrEqual(1);
      }
    }
  }
});

test('doesn’t refetch repeatedly when the clock is wrong', () => {
  expect(zoneToAsk({ shown: '03-02', here: '07-19', asked: site, own: site })).toBeNull();
});
