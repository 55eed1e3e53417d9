import { AppError } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import { authorize, selfOf, topicsOf } from '#/features/access/rules.ts';
import { recordDone, recordView } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { networkOf } from '#/platform/http/address.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { addressDigest } from '#/platform/tokens.ts';
import type { AnswerInput, ContactState, OpenedMessage, SendInput } from './contract.ts';
import { requireLockedAnswer, requireLockedMessage, requireMessage } from './policies.ts';
import { inbox, sealed, writtenColumns, decryptMessage } from './queries.ts';
import {
  formIn,
  formText,
  limits,
  quickest,
  refuseRobots,
  takeBackSeconds,
  type IssuedForm,
} from './rules.ts';

declare module '#/platform/context.ts' {
  interface Events {
    /** `receipt`: whether to email the sender a confirmation. */
    'contact.received': { messageId: string; receipt: boolean };
    'contact.answered': { answerId: string };
  }
}

const bound = 'contact.form';

/** Issues a form token. Stateless: the sealed token contains its creation time. */
export function issueForm(ctx: Ctx): { token: string; challenge: string; waitSeconds: number } {
  const form: IssuedForm = { id: ctx.newId(), issuedAt: ctx.now() };
  return {
    token: ctx.keyring.seal(formText(form), bound),
    challenge: form.id,
    waitSeconds: quickest,
  };
}

function formOf(ctx: Ctx, token: string): IssuedForm | null {
  try {
    return formIn(ctx.keyring.open(token, bound));
  } catch {
    return null;
  }
}

/**
 * Stores and emails a contact message; idempotent per form. Throws if reused with different text. `factor` multiplies
 * rate limits.
 */
export async function send(ctx: Ctx, input: SendInput, factor: number): Promise<{ sentAt: string }> {
  const now = ctx.now();
  const form = formOf(ctx, input.token);
  refuseRobots(form, input, now);
  const before = await sentBefore(ctx, form, input);
  if (before) return before;
  const { actor } = ctx;
  const sender = actor.kind === 'person' ? actor.id : networkOf(ctx.address ?? '');
  for (const [name, { max, seconds }] of [
    ['hour', limits.hourly],
    ['day', limits.daily],
  ] as const) {
    if (!(await countAttempt(ctx.db, `contact-${name}:${sender}`, max * factor, seconds, now)))
      throw new AppError('rate_limited', 'too_many_messages');
  }
  return transact(ctx, async (tx) => {
    const { max, seconds } = limits.receipts;
    const mayAnswer = () =>
      countAttempt(tx.db, `contact-receipt:${addressDigest(input.email)}`, max * factor, seconds, now);
    const received = await receive(tx, form.id, input, mayAnswer);
    const sent = received ? { sentAt: now.toString() } : await sentBefore(tx, form, input);
    if (!sent) throw new AppError('precondition', 'form_used');
    return sent;
  });
}

type ContactText = Pick<SendInput, 'name' | 'email' | 'subject' | 'message'>;

/** Stores and emails a message; returns false if this form was already used. */
export async function receive(
  tx: TxCtx,
  formId: string,
  { name, email, subject, message }: ContactText,
  mayAnswer: () => Promise<boolean>,
): Promise<boolean> {
  const id = tx.newId();
  const stored = await tx.db
    .insertInto('contact_messages')
    .values({
      id,
      form_id: formId,
      person_id: tx.actor.kind === 'person' ? tx.actor.id : null,
      sealed_name: sealed.name.seal(tx.keyring, id, name),
      email,
      sealed_subject: sealed.subject.seal(tx.keyring, id, subject),
      sealed_message: sealed.message.seal(tx.keyring, id, message),
      sealed_note: null,
      sent_at: new Date(tx.now().epochMilliseconds),
      closed_at: null,
      closed_by: null,
    })
    .onConflict((on) => on.column('form_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!stored) return false;
  await recordDone(tx, { action: 'contact.received', subject: { kind: 'contact_message', id } });
  await tx.emit(tx, 'contact.received', { messageId: id, receipt: await mayAnswer() });
  await publish(tx, topicsOf('access_admin_panel'), { type: 'contact.received', id });
  return true;
}

/** The first response may have been lost. Throws precondition `form_used` for another message. */
async function sentBefore(
  ctx: Ctx,
  form: IssuedForm,
  { email, subject, message }: SendInput,
): Promise<{ sentAt: string } | null> {
  const first = await ctx.db
    .selectFrom('contact_messages')
    .select([...writtenColumns, 'sent_at'])
    .where('form_id', '=', form.id)
    .executeTakeFirst();
  if (!first) return null;
  const written = decryptMessage(ctx, first);
  if (written.email !== email || written.subject !== subject || written.message !== message)
    throw new AppError('precondition', 'form_used');
  return { sentAt: isoOf(first.sent_at) };
}

/** Lists messages and logs the access. */
export async function viewInbox(ctx: Ctx, page: Parameters<typeof inbox>[1]): ReturnType<typeof inbox> {
  await recordView(ctx, { action: 'contact.inbox_viewed' });
  return inbox(ctx, page);
}

/** Returns a message and logs the access. */
export async function openMessage(ctx: Ctx, messageId: string): Promise<OpenedMessage> {
  const opened = await requireMessage(ctx, messageId);
  await recordView(ctx, { action: 'contact.viewed', subject: { kind: 'contact_message', id: messageId } });
  return opened;
}

/** Stores an answer and emails it after a moment; idempotent by id. Throws `conflict` (`answered_meanwhile`). */
export async function answer(ctx: Ctx, input: AnswerInput): Promise<OpenedMessage> {
  authorize(ctx.actor, ['access_admin_panel']);
  const author = selfOf(ctx);
  const { messageId, text, seen, answerId = ctx.newId() } = input;
  return transact(ctx, async (tx) => {
    const { state } = await requireLockedMessage(tx, messageId);
    const opened = await requireMessage(tx, messageId);
    const repeated = opened.answers.find(({ id }) => id === answerId);
    if (repeated?.text === text && repeated.author?.id === author) return opened;
    const refused = new AppError('conflict', 'answered_meanwhile');
    if (repeated || opened.answers.length !== seen) throw refused;
    await tx.db
      .insertInto('contact_answers')
      .values({
        id: answerId,
        message_id: messageId,
        author_id: author,
        sealed_text: sealed.answer.seal(tx.keyring, answerId, text),
        written_at: new Date(tx.now().epochMilliseconds),
        state_before: state,
        mailed_at: null,
      })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirstOrThrow(() => refused);
    await setState(tx, messageId, 'answered');
    await tx.emit(
      tx,
      'contact.answered',
      { answerId },
      { startAfter: tx.now().add({ seconds: takeBackSeconds }) },
    );
    return recordChange(tx, messageId, 'answered', { state: `${state} → answered` });
  });
}

/** Undoes an answer before it's emailed. Throws `conflict` (`already_mailed`). */
export async function undoAnswer(ctx: Ctx, answerId: string): Promise<OpenedMessage> {
  authorize(ctx.actor, ['access_admin_panel']);
  return transact(ctx, async (tx) => {
    const { messageId, state, before, mailed } = await requireLockedAnswer(tx, answerId);
    if (mailed) throw new AppError('conflict', 'already_mailed');
    await tx.db.deleteFrom('contact_answers').where('id', '=', answerId).execute();
    const left = await tx.db
      .selectFrom('contact_answers')
      .select(['id', 'state_before'])
      .where('message_id', '=', messageId)
      .orderBy('written_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    // A later answer keeps it answered; undoing that one then leads back past this one.
    const next = left.findLast(({ id }) => id > answerId);
    if (next?.state_before === 'answered') {
      await tx.db
        .updateTable('contact_answers')
        .set({ state_before: before })
        .where('id', '=', next.id)
        .execute();
    }
    const isAnswered = before === 'answered' && left.length > 0;
    if (state === 'answered' && !next)
      await setState(tx, messageId, isAnswered ? 'answered' : before === 'closed' ? 'closed' : 'open');
    return recordChange(tx, messageId, 'answer_taken_back', {});
  });
}

async function setState(tx: TxCtx, messageId: string, state: ContactState): Promise<void> {
  await tx.db.updateTable('contact_messages').set(stateNow(tx, state)).where('id', '=', messageId).execute();
}

function stateNow<State extends ContactState>(ctx: Ctx, state: State) {
  const closed = state === 'closed';
  return {
    state,
    closed_at: closed ? new Date(ctx.now().epochMilliseconds) : null,
    closed_by: closed && ctx.actor.kind === 'person' ? ctx.actor.id : null,
  };
}

/** Marks a message as needing no further answer. */
export async function close(ctx: Ctx, messageId: string): Promise<OpenedMessage> {
  return change(ctx, messageId, 'closed', stateNow(ctx, 'closed'));
}

export async function reopen(ctx: Ctx, messageId: string): Promise<OpenedMessage> {
  return change(ctx, messageId, 'reopened', stateNow(ctx, 'open'));
}

/** Saves the internal note. Throws `conflict` (`annotated_meanwhile`). */
export async function annotate(
  ctx: Ctx,
  { messageId, note, seen }: { messageId: string; note: string; seen: string },
): Promise<OpenedMessage> {
  const sealed_note = note === '' ? null : sealed.note.seal(ctx.keyring, messageId, note);
  return change(ctx, messageId, 'annotated', { note: '', sealed_note }, (last) => {
    if (last.note !== seen && last.note !== note) throw new AppError('conflict', 'annotated_meanwhile');
  });
}

type Change =
  | { state: 'open' | 'closed'; closed_at: Date | null; closed_by: string | null }
  | { note: ''; sealed_note: string | null };

async function change(
  ctx: Ctx,
  messageId: string,
  what: 'closed' | 'reopened' | 'annotated',
  values: Change,
  check: (last: { note: string }) => void = () => {},
): Promise<OpenedMessage> {
  authorize(ctx.actor, ['access_admin_panel']);
  return transact(ctx, async (tx) => {
    const row = await requireLockedMessage(tx, messageId);
    check(row);
    // Another administrator already did this.
    if ('state' in values && values.state === row.state) return requireMessage(tx, messageId);
    await tx.db.updateTable('contact_messages').set(values).where('id', '=', messageId).execute();
    const details = 'state' in values ? { state: `${row.state} → ${values.state}` } : {};
    return recordChange(tx, messageId, what, details);
  });
}

async function recordChange(
  tx: TxCtx,
  messageId: string,
  what: 'answered' | 'answer_taken_back' | 'closed' | 'reopened' | 'annotated',
  details: { state?: string },
): Promise<OpenedMessage> {
  await recordDone(tx, {
    action: `contact.${what}`,
    subject: { kind: 'contact_message', id: messageId },
    details,
  });
  await publish(tx, topicsOf('access_admin_panel'), { type: 'contact.changed', id: messageId });
  return requireMessage(tx, messageId);
}
