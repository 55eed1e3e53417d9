import type { ErrorCode } from '#/kernel/errors.ts';
import type { ReplyState } from './contract.ts';

export type ReplyAction = 'approve' | 'reject';

/** Rejecting also unpublishes a reply. */
const allowedFrom: Readonly<Record<ReplyAction, readonly ReplyState[]>> = {
  approve: ['waiting', 'rejected'],
  reject: ['waiting', 'approved'],
};

/** `revision` and `from` are what the administrator saw. */
export function refuseReplyAction(
  act: ReplyAction,
  reply: { state: ReplyState; revision: number; shown_text: string | null },
  { revision, from }: { revision: number; from?: ReplyState | undefined },
): { code: ErrorCode; reason: 'changed_meanwhile' | 'wrong_state' } | null {
  if (revision !== reply.revision) return { code: 'conflict', reason: 'changed_meanwhile' };
  if (from && from !== reply.state) return { code: 'conflict', reason: 'wrong_state' };
  const unpublishes = act === 'reject' && reply.shown_text !== null;
  if (!unpublishes && !allowedFrom[act].includes(reply.state))
    return { code: 'conflict', reason: 'wrong_state' };
  return null;
}

/** Rejecting an edit keeps the previously approved text. */
export function shownAfter(
  act: ReplyAction,
  reply: { state: ReplyState; text: string; shown_text: string | null },
): string | null {
  if (act === 'approve') return reply.text;
  return reply.state === 'waiting' ? reply.shown_text : null;
}
