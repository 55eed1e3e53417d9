import { AppError, invalidField } from '#/kernel/errors.ts';
import { authorize } from '#/features/access/rules.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone, recordView } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { requireGrowth } from '../progress/policies.ts';
import { mayAsk, prayerOf, prayersFor, receivedView, sealedPrayers } from './queries.ts';
import type { AskInput, OwnPrayer, PrayerAudience, PrayerState, ReceivedPrayer } from './contract.ts';
import { requireAskable, requireAsked, requireOwnPrayer, requireReceivedPrayer } from './policies.ts';
import { maySettle } from './rules.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'growth.prayer_asked': { requestId: string };
    'growth.prayed': { answerId: string };
  }
}

/** Per client: providers read each request. */
const perDay = 10;

/** Sends a prayer request, once per id; throws not_found `specialist` if the client can't ask them. */
export async function askPrayer(ctx: Ctx, input: AskInput): Promise<OwnPrayer> {
  authorize(ctx.actor, ['book_appointments']);
  const self = await requireGrowth(ctx);
  const { audience, providerId } = input;
  if (audience === 'counsellor') {
    if (providerId === undefined) throw invalidField('providerId', 'required');
    await requireAskable(ctx, self, providerId);
  }
  if (!(await countAttempt(ctx.db, `prayer:${self}`, perDay, 86_400, ctx.now()))) {
    throw new AppError('rate_limited', 'too_many_prayers');
  }
  return transact(ctx, async (tx) => {
    const id = input.requestId ?? tx.newId();
    const at = new Date(tx.now().epochMilliseconds);
    const asked = { audience, provider_id: audience === 'counsellor' ? (providerId ?? null) : null };
    const created = await tx.db
      .insertInto('prayer_requests')
      .values({
        id,
        client_id: self,
        text: sealedPrayers.text.seal(tx.keyring, id, input.text),
        ...asked,
        show_name: input.showName,
        state: 'open',
        created_at: at,
        updated_at: at,
      })
      .onConflict((found) => found.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (created) {
      await record(tx, 'prayer_asked', id);
      await tx.emit(tx, 'growth.prayer_asked', { requestId: id });
      await notifyScreens(tx, { client_id: self, ...asked }, id);
    } else await requireOwnPrayer(tx, self, id);
    return prayerOf(tx, self, id);
  });
}

export async function setPrayerState(ctx: Ctx, requestId: string, state: PrayerState): Promise<OwnPrayer> {
  authorize(ctx.actor, ['book_appointments']);
  const self = await requireGrowth(ctx);
  return transact(ctx, async (tx) => {
    const row = await requireOwnPrayer(tx, self, requestId);
    if (!maySettle({ ...row, providerId: row.provider_id }, state)) {
      throw new AppError('conflict', 'counsellor_gone');
    }
    if (row.state !== state) {
      // Reopening counts as asking again.
      if (state === 'open' && row.provider_id && !(await mayAsk(tx, self, row.provider_id))) {
        throw new AppError('conflict', 'counsellor_gone');
      }
      await tx.db
        .updateTable('prayer_requests')
        .set({ state, updated_at: new Date(tx.now().epochMilliseconds) })
        .where('id', '=', requestId)
        .execute();
      await record(tx, `prayer_${state}`, requestId);
      await notifyScreens(tx, row, requestId);
    }
    return prayerOf(tx, self, requestId);
  });
}

export async function removePrayer(ctx: Ctx, requestId: string): Promise<{ id: string }> {
  authorize(ctx.actor, ['book_appointments']);
  const self = await requireGrowth(ctx);
  return transact(ctx, async (tx) => {
    const row = await requireOwnPrayer(tx, self, requestId);
    await tx.db.deleteFrom('prayer_requests').where('id', '=', requestId).execute();
    await record(tx, 'prayer_removed', requestId);
    await notifyScreens(tx, row, requestId);
    return { id: requestId };
  });
}

/** Records a prayer with an optional note; notifies the client once. */
export async function markPrayed(
  ctx: Ctx,
  requestId: string,
  words: string | undefined,
): Promise<ReceivedPrayer> {
  const by = await requireAsked(ctx);
  return transact(ctx, async (tx) => {
    const row = await requireReceivedPrayer(tx, by, requestId);
    if (row.state !== 'open') throw new AppError('conflict', 'prayer_settled');
    const there = await tx.db
      .selectFrom('prayer_answers')
      .select('id')
      .where('request_id', '=', requestId)
      .where('person_id', '=', by.id)
      .executeTakeFirst();
    const id = there?.id ?? tx.newId();
    const note = words ? sealedPrayers.note.seal(tx.keyring, id, words) : null;
    const written = there
      ? await tx.db.updateTable('prayer_answers').set({ note }).where('id', '=', id).execute()
      : await tx.db
          .insertInto('prayer_answers')
          .values({
            id,
            request_id: requestId,
            person_id: by.id,
            note,
            prayed_at: new Date(tx.now().epochMilliseconds),
          })
          // A concurrent request may already have inserted it; only the first notifies the client.
          .onConflict((on) => on.columns(['request_id', 'person_id']).doNothing())
          .returning('id')
          .execute();
    if (written.length > 0) {
      await record(tx, there ? 'prayer_note_changed' : 'prayed', requestId);
      if (!there) await tx.emit(tx, 'growth.prayed', { answerId: id });
      await notifyScreens(tx, row, requestId);
    }
    return receivedView(tx, by.id, row);
  });
}

/** Undoes `markPrayed` and deletes the note. */
export async function undoPrayed(ctx: Ctx, requestId: string): Promise<ReceivedPrayer> {
  const by = await requireAsked(ctx);
  return transact(ctx, async (tx) => {
    const row = await requireReceivedPrayer(tx, by, requestId);
    const undone = await tx.db
      .deleteFrom('prayer_answers')
      .where('request_id', '=', requestId)
      .where('person_id', '=', by.id)
      .returning('id')
      .execute();
    if (undone.length > 0) {
      await record(tx, 'prayed_undone', requestId);
      await notifyScreens(tx, row, requestId);
    }
    return receivedView(tx, by.id, row);
  });
}

/** Lists received requests and logs the access. */
export async function receivedPrayers(
  ctx: Ctx,
  page: Parameters<typeof prayersFor>[2],
): ReturnType<typeof prayersFor> {
  const by = await requireAsked(ctx);
  await recordView(ctx, { action: 'growth.prayers_viewed' });
  return prayersFor(ctx, by, page);
}

async function record(tx: TxCtx, action: Action, id: string): Promise<void> {
  await recordDone(tx, { action, subject: { kind: 'prayer', id } });
}

/** Notifies the client and the recipients. */
async function notifyScreens(
  tx: TxCtx,
  row: { client_id: string; audience: PrayerAudience; provider_id: string | null },
  id: string,
): Promise<void> {
  const asked =
    row.audience === 'pastors' ? ['role:pastor'] : row.provider_id ? [`person:${row.provider_id}`] : [];
  await publish(tx, [`person:${row.client_id}`, ...asked], { type: 'growth.changed', id });
}
