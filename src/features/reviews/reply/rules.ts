import type { ErrorCode } from '#/kernel/errors.ts';
import type { ReplyState } from './contract.ts';

/** What an administrator can do with a reply. */
export type ReplyAct = 'approve' | 'reject';

/** From which states each act leads on. A published reply is taken back by rejecting it. */
const from: Readonly<Record<ReplyAct, readonly ReplyState[]>> = {
  approve: ['waiting', 'rejected'],
  reject: ['waiting', 'approved'],
};

/** Why an administrator can't do this with a reply now, or null; `revision` is the one that they have read. */
export function refuseReplyAct(
  act: ReplyAct,
  reply: { state: ReplyState; revision: number },
  revision: number,
): { code: ErrorCode; reason: 'changed_meanwhile' | 'wrong_state' } | null {
  if (revision !== reply.revision) return { code: 'conflict', reason: 'changed_meanwhile' };
  if (!from[act].includes(reply.state)) return { code: 'conflict', reason: 'wrong_state' };
  return null;
}

/** What everybody reads after a decision: the approved words, and after a refusal of others those that stood before. */
export function shownAfter(
  act: ReplyAct,
  reply: { state: ReplyState; text: string; shown_text: string | null },
): string | null {
  if (act === 'approve') return reply.text;
  return reply.state === 'approved' ? null : reply.shown_text;
}
