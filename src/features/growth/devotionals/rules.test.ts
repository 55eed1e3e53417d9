import { expect, test } from 'vitest';
import { dayIn, zoneToAsk } from './rules.ts';

const site = 'America/New_York';
const zones = ['Pacific/Auckland', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', site];

/** What a visitor ends up with, and how often the page asked again; `first` is the zone of the address they opened. */
function visit(own: string, at: Temporal.Instant, first: string | null = null) {
  let asked = first;
  for (let again = 0; ; again++) {
    const shown = dayIn(asked ?? site, at);
    const zone = zoneToAsk({ shown, here: dayIn(own, at), asked, own });
    if (zone === null) return { shown, again };
    asked = zone;
  }
}

test('at one instant it is another day in Auckland than in Los Angeles, and each visitor is shown their own', () => {
  const at = Temporal.Instant.from('2026-03-02T11:30:00Z');
  expect(visit('Pacific/Auckland', at)).toEqual({ shown: '03-03', again: 1 });
  expect(visit('America/Los_Angeles', at)).toEqual({ shown: '03-02', again: 0 });
  const later = Temporal.Instant.from('2026-03-03T05:30:00Z');
  expect(visit('Pacific/Auckland', later)).toEqual({ shown: '03-03', again: 0 });
  expect(visit('America/Los_Angeles', later)).toEqual({ shown: '03-02', again: 1 });
});

test('whoever opens whichever address at whichever hour gets the day where they are, and it is asked for once at most', () => {
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

test('a clock that is wrong doesn’t ask again and again', () => {
  expect(zoneToAsk({ shown: '03-02', here: '07-19', asked: site, own: site })).toBeNull();
});
