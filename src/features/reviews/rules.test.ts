import { expect, test } from 'vitest';
import type { AppointmentStatus } from '#/features/appointments/appointment/contract.ts';
import type { ReviewState } from './contract.ts';
import { authorName, refuseModeration, refuseWriting, type ModerationAction } from './rules.ts';

const statuses: readonly AppointmentStatus[] = ['pending', 'confirmed', 'completed', 'cancelled', 'no_show'];
const states: readonly (ReviewState | null)[] = [null, 'waiting', 'approved', 'rejected'];

test('allows reviews only after completed sessions, and edits until approval', () => {
  const open = statuses.flatMap((status) =>
    states.filter((state) => refuseWriting(status, state) === null).map((state) => [status, state]),
  );
  expect(open).toEqual([
    ['completed', null],
    ['completed', 'waiting'],
    ['completed', 'rejected'],
  ]);
  expect(refuseWriting('no_show', null)).toEqual({ code: 'precondition', reason: 'not_completed' });
  expect(refuseWriting('completed', 'approved')).toEqual({ code: 'conflict', reason: 'already_approved' });
});

test.each([
  ['approve', ['waiting', 'rejected']],
  ['reject', ['waiting', 'approved']],
  ['reopen', ['approved', 'rejected']],
  ['feature', ['approved']],
] as const)('lets an administrator %s reviews in these states: %j', (act: ModerationAction, from) => {
  const review = (state: ReviewState) => ({ state, revision: 3, text: 'Words' });
  const open = (['waiting', 'approved', 'rejected'] as const).filter(
    (state) => refuseModeration(act, review(state), { revision: 3 }) === null,
  );
  expect(open).toEqual(from);
  // Decisions apply only to the revision that was read.
  expect(refuseModeration(act, review(from[0]), { revision: 2 })).toEqual({
    code: 'conflict',
    reason: 'changed_meanwhile',
  });
});

test('allows approving but not featuring a review without text', () => {
  const silent = { state: 'waiting', revision: 1, text: null } as const;
  expect(refuseModeration('approve', silent, { revision: 1 })).toBeNull();
  expect(refuseModeration('approve', silent, { revision: 1, featured: true })?.reason).toBe('no_words');
  expect(
    refuseModeration('feature', { ...silent, state: 'approved' }, { revision: 1, featured: true })?.reason,
  ).toBe('no_words');
});

test.each([
  ['Hannah Brooks', 'initial', 'Hannah B.'],
  ['  Hannah   van der Berg ', 'initial', 'Hannah B.'],
  ['Hannah van der Berg', 'full', 'Hannah van der Berg'],
  ['Hannah', 'initial', 'Hannah'],
  ['Zoë østergård', 'initial', 'Zoë Ø.'],
  ['Li 𠮷田', 'initial', 'Li 𠮷.'],
  ['Hannah Brooks', 'anonymous', null],
] as const)('shows %s, named %s, as %s', (fullName, named, shown) => {
  expect(authorName(fullName, named)).toBe(shown);
});
