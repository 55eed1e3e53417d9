import { expect, it } from 'vitest';
import { AppError } from '#/kernel/errors.ts';
import type { StartRefusal } from '../appointment/contract.ts';
import { clashText, offeredStarts, appointmentFailure } from './failure-text.ts';

const startRefusals = Object.keys({
  past: true,
  too_little_notice: true,
  too_far_ahead: true,
  unaligned: true,
  outside_hours: true,
  day_full: true,
  slot_taken: true,
  skipped_time: true,
  own_clash: true,
} satisfies Record<StartRefusal, true>) as StartRefusal[];

const names = { name: 'Dr. Ada Grey', noticeHours: 2 };

it('has a distinct message for every refused start, in a booking and in a series', () => {
  const problems = startRefusals.map(
    (reason) => appointmentFailure(new AppError('conflict', reason), names).title,
  );
  const clashes = startRefusals.map((reason) => clashText(reason, names));
  expect(new Set(problems).size).toBe(startRefusals.length);
  expect(new Set(clashes).size).toBe(startRefusals.length);
});

it('says that input is kept on a network error, and differs when signed out', () => {
  const unreachable = appointmentFailure(new TypeError('failed to fetch'), names);
  const signedOut = appointmentFailure(new AppError('unauthenticated', 'sign_in_required'), names);
  expect(unreachable.text).toContain('still here');
  expect(signedOut).not.toEqual(unreachable);
});

it('says that a link booked nothing, without mentioning a form', () => {
  const taken = new AppError('conflict', 'slot_taken');
  expect(appointmentFailure(taken, { ...names, byLink: true }).text).toMatch(/^Nothing was booked\./);
  expect(appointmentFailure(taken, { ...names, byLink: true }).text).not.toContain('your entries');
  expect(appointmentFailure(taken, names).text).toContain('your entries');
});

it('names the new price, and says that nothing was booked', () => {
  const raised = new AppError('conflict', 'price_changed', { data: { priceCents: 12_500 } });
  const { title, text } = appointmentFailure(raised, names);
  expect(title).toContain('$125');
  expect(text).toMatch(/^Nothing was booked/);
});

it('points to the email with the undo link after an address change', () => {
  const changed = new AppError('forbidden', 'address_changed', { data: { until: '2026-03-05T12:00:00Z' } });
  const { title, text } = appointmentFailure(changed, { ...names, byLink: true });
  expect(title).toBe('Your email address was changed');
  expect(text).toMatch(/^Nothing was booked\. .*Check your email for a link to undo it\.$/);
});

it('says when an account with a changed address can book again', () => {
  const held = new AppError('forbidden', 'address_held', { data: { until: '2026-03-05T12:00:00Z' } });
  expect(appointmentFailure(held, names).text).toContain('You can book again after March 5 at 12:00 PM UTC');
});

it('ignores reasons inherited from Object.prototype', () => {
  expect(appointmentFailure(new AppError('invalid', 'toString'), names)).toEqual(
    appointmentFailure(new AppError('invalid', 'fields'), names),
  );
});

it('reads only valid next free times from a refusal', () => {
  const taken = new AppError('conflict', 'slot_taken', {
    data: { nextFreeStarts: ['2026-03-09T13:00:00Z', 7] },
  });
  expect(offeredStarts(taken)).toEqual(['2026-03-09T13:00:00Z']);
  expect(offeredStarts(new AppError('conflict', 'slot_taken'))).toEqual([]);
  expect(offeredStarts(new Error('gone'))).toEqual([]);
});
