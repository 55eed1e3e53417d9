import type { ErrorCode } from '#/kernel/errors.ts';
import type { AppointmentStatus } from '#/features/appointments/appointment/contract.ts';
import type { Naming, ReviewState } from './contract.ts';

export interface ReviewRefusal {
  code: ErrorCode;
  reason: 'not_completed' | 'already_approved' | 'changed_meanwhile' | 'wrong_state' | 'no_words';
}

/** `state` is that of an existing review. */
export function refuseWriting(status: AppointmentStatus, state: ReviewState | null): ReviewRefusal | null {
  if (status !== 'completed') return { code: 'precondition', reason: 'not_completed' };
  if (state === 'approved') return { code: 'conflict', reason: 'already_approved' };
  return null;
}

export type ModerationAction = 'approve' | 'reject' | 'reopen' | 'feature';

/** Rejecting also unpublishes; reopening returns to waiting. */
const allowedFrom: Readonly<Record<ModerationAction, readonly ReviewState[]>> = {
  approve: ['waiting', 'rejected'],
  reject: ['waiting', 'approved'],
  reopen: ['approved', 'rejected'],
  feature: ['approved'],
};

/** `revision` and `from` are what the administrator saw. */
export function refuseModeration(
  act: ModerationAction,
  review: { state: ReviewState; revision: number; text: string | null },
  {
    revision,
    from,
    featured = false,
  }: { revision: number; from?: ReviewState | undefined; featured?: boolean },
): ReviewRefusal | null {
  if (revision !== review.revision) return { code: 'conflict', reason: 'changed_meanwhile' };
  if (!allowedFrom[act].includes(review.state) || (from && from !== review.state))
    return { code: 'conflict', reason: 'wrong_state' };
  if (featured && review.text === null) return { code: 'precondition', reason: 'no_words' };
  return null;
}

/** The name shown, or null if anonymous. */
export function authorName(fullName: string, named: Naming): string | null {
  if (named === 'anonymous') return null;
  const names = fullName.trim().split(/\s+/);
  const [first = ''] = names;
  if (named === 'full' || names.length < 2) return names.join(' ');
  const [initial = ''] = Array.from(names.at(-1) ?? '');
  return `${first} ${initial.toUpperCase()}.`;
}
