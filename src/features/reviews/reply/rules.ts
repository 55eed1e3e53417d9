import type { ErrorCode } from '#/kernel/errors.ts';
import type { ReplyState } from './contract.ts';

export type ReplyAct = 'approve' | 'reject';

/** Rejecting also unpublishes a reply. */
const from: Readonly<Record<ReplyAct, readonly ReplyState[]>> = {
  approve: ['waiting', 'rejected'],
  reject: ['waiting', 'approved'],
};

/** `revision` is the version the administrator read. */
export function refuseReplyAct(
  act: ReplyAct,
  reply: { state: ReplyState; revision: number },
  revision: number,
): { code: ErrorCode; reason: 'changed_meanwhile' | 'wrong_state' } | null {
  if (revision !== reply.revision) return { code: 'conflict', reason: 'changed_meanwhile' };
  if (!from[act].includes(reply.state)) return { code: 'conflict', reason: 'wrong_state' };
  return null;
}

/** Rejecting an edit keeps the previously approved text. */
export function shownAfter(
  act: ReplyAct,
  reply: { state: ReplyState; text: string; shown_text: string | null },
): string | null {
  if (act === 'approve') return reply.text;
  return reply.state === 'approved' ? null : reply.shown_text;
}
