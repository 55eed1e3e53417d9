import { sql } from 'kysely';
import { type AuditedAction, recordDone, recordView } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { type Self, selfOf } from '#/features/access/rules.ts';
import { createUnclaimed, eraseUnclaimed, renameUnclaimed } from '#/features/accounts/unclaimed/commands.ts';
import { unclaimedAddress } from '#/features/accounts/rules.ts';
import { personOf } from '#/features/accounts/queries.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { changedParts } from '#/features/audit/rules.ts';
import { bookOnce, type Booked } from '#/features/appointments/booking/commands.ts';
import { isCallable } from '#/features/appointments/diary/rules.ts';
import { withinDay } from '#/features/attendees/invitations/commands.ts';
import { changeContact } from '#/features/appointments/on-behalf/commands.ts';
import { transact } from '#/platform/db/transact.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { requireOwnListing, requireOwnRecord, requireServed, type Served } from './policies.ts';
import type { BookNewInput, ChangeRecordInput, ClientRecord } from './contract.ts';
import { clientRecordOf, isOptedOut } from './queries.ts';
import { refuseInvitation } from './rules.ts';

declare module '#/platform/context.ts' {
  interface Events {
    /** `sends` counts from 1. */
    'care.client_invited': { clientId: string; sends: number };
  }
}

/** Checks that the caller serves this client, and logs the access. */
export async function viewClient(
  ctx: Ctx,
  clientId: string,
  what: 'client' | 'notes' | 'private_notes',
): Promise<Served> {
  const served = await requireServed(ctx, clientId);
  await recordView(ctx, { action: `care.${what}_viewed`, subject: { kind: 'person', id: clientId } });
  return served;
}

const perDay = { records: 30, seconds: 86_400 };

/**
 * Books for a new client and creates their record; idempotent per key. Never looks up the email address, so response
 * and timing reveal nothing about existing accounts.
 */
export async function bookNew(ctx: Ctx, input: BookNewInput): Promise<Booked & { clientId: string }> {
  const providerId = selfOf(ctx);
  const { client, outsideHours, ...wanted } = input;
  const email = client.email?.toLowerCase() ?? null;
  const phone = client.phone || null;
  if (email === null && phone === null) throw invalidField('client.email', 'required');
  if (input.sessionType === 'phone' && !isCallable(client.phone))
    throw invalidField('client.phone', 'required');
  return transact(ctx, async (tx) => {
    const { db } = tx;
    const key = `client-record:${providerId}:${input.idempotencyKey}`;
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(db);
    // Their account, once they claimed the record.
    const before = await db
      .selectFrom('bookings')
      .innerJoin('appointments', 'appointments.booking_id', 'bookings.id')
      .select('bookings.client_id')
      .where('idempotency_key', '=', input.idempotencyKey)
      .where('provider_id', '=', providerId)
      .limit(1)
      .executeTakeFirst();
    const { timeZone } = await requireOwnListing(tx, providerId);
    const clientId =
      before?.client_id ??
      (await makeRecord(tx, providerId, { name: client.name, email, phone, timeZone, input }));
    const booked = await bookOnce(
      tx,
      { by: 'provider', self: providerId, clientId, outsideHours },
      {
        ...wanted,
        providerId,
        contact: { ...client, email: email ?? unclaimedAddress(clientId) },
        timeZone,
        reminderMinutes: 1440,
      },
    );
    // The fingerprint keeps the typed address.
    if (!before && (await isOptedOut(tx, providerId, email)))
      await changeContact(
        tx,
        { clientId, providerId },
        { name: client.name, email: unclaimedAddress(clientId), phone },
      );
    return { clientId, ...booked };
  });
}

async function makeRecord(
  tx: TxCtx,
  providerId: Self,
  {
    name,
    email,
    phone,
    timeZone,
    input,
  }: { name: string; email: string | null; phone: string | null; timeZone: string; input: BookNewInput },
): Promise<string> {
  if (!(await countAttempt(tx.db, `client-records:${providerId}`, perDay.records, perDay.seconds, tx.now())))
    throw new AppError('rate_limited', 'too_many_clients');
  const invited = email !== null && !(await isOptedOut(tx, providerId, email));
  if (invited) await requireInvitable(tx, providerId, email, 'client.email');
  const clientId = await createUnclaimed(tx, { name, timeZone });
  const now = new Date(tx.now().epochMilliseconds);
  await tx.db
    .insertInto('client_records')
    .values({
      person_id: clientId,
      provider_id: providerId,
      idempotency_key: input.idempotencyKey,
      email,
      phone,
      sends: invited ? 1 : 0,
      sent_at: invited ? now : null,
      created_at: now,
    })
    .execute();
  await record(tx, 'entered', clientId, { invited });
  if (invited) await tx.emit(tx, 'care.client_invited', { clientId, sends: 1 });
  return clientId;
}

/** A new address invalidates emailed links. */
export async function changeRecord(ctx: Ctx, input: ChangeRecordInput): Promise<ClientRecord> {
  const providerId = selfOf(ctx);
  const { clientId, name } = input;
  const [email, phone] = [input.email?.toLowerCase() ?? null, input.phone || null];
  return transact(ctx, async (tx) => {
    const before = await requireOwnRecord(tx, providerId, clientId);
    const { fullName: known } = await personOf(tx, clientId);
    const moved = email !== before.email;
    if (moved && email !== null) await refuseOwn(tx, providerId, email, 'email');
    const refused = await isOptedOut(tx, providerId, email);
    await tx.db
      .updateTable('client_records')
      .set({ email, phone, ...(moved ? { sends: 0, sent_at: null } : {}) })
      .where('person_id', '=', clientId)
      .execute();
    if (moved) await tx.db.deleteFrom('client_claims').where('person_id', '=', clientId).execute();
    await renameUnclaimed(tx, clientId, name);
    await changeContact(
      tx,
      { clientId, providerId },
      { name, email: (refused ? null : email) ?? unclaimedAddress(clientId), phone },
    );
    await record(tx, 'record_changed', clientId, {
      changed: changedParts(
        { name: known, email: before.email, phone: before.phone },
        { name, email, phone },
      ),
    });
    await publish(tx, [`person:${providerId}`], { type: 'booking.changed', id: clientId });
    return (await clientRecordOf(tx, { providerId, clientId }))!;
  });
}

/** Sends or resends the invitation email. */
export async function inviteClient(ctx: Ctx, clientId: string): Promise<ClientRecord> {
  const providerId = selfOf(ctx);
  return transact(ctx, async (tx) => {
    const { email, sends, sent_at } = await requireOwnRecord(tx, providerId, clientId);
    const declined = await isOptedOut(tx, providerId, email);
    const now = tx.now().epochMilliseconds;
    const refusal = refuseInvitation({ email, sends, sentAt: sent_at?.getTime() ?? null, declined }, now);
    if (refusal === 'no_email') throw new AppError('precondition', refusal);
    if (refusal === 'invitation_declined') throw new AppError('conflict', refusal);
    if (refusal) throw new AppError('rate_limited', refusal);
    await requireInvitable(tx, providerId, email!, 'email');
    await tx.db
      .updateTable('client_records')
      .set({ sends: sends + 1, sent_at: new Date(now) })
      .where('person_id', '=', clientId)
      .execute();
    await record(tx, 'invited', clientId, {});
    await tx.emit(tx, 'care.client_invited', { clientId, sends: sends + 1 });
    return (await clientRecordOf(tx, { providerId, clientId }))!;
  });
}

/** Deletes a person's records. Also erases clients they added, since no other provider has them. */
export async function eraseRecords(tx: TxCtx, personId: string): Promise<void> {
  const entered = await tx.db
    .deleteFrom('client_records')
    .where(({ or, eb }) => or([eb('provider_id', '=', personId), eb('person_id', '=', personId)]))
    .returning(['person_id', 'provider_id'])
    .execute();
  const theirs = entered.filter(({ provider_id }) => provider_id === personId);
  await eraseUnclaimed(
    tx,
    theirs.map(({ person_id }) => person_id),
  );
}

async function requireInvitable(tx: TxCtx, providerId: Self, email: string, field: string): Promise<void> {
  await refuseOwn(tx, providerId, email, field);
  await withinDay(tx, providerId, email);
}

async function refuseOwn(tx: TxCtx, providerId: Self, email: string, field: string): Promise<void> {
  if (email === (await personOf(tx, providerId)).email) throw invalidField(field, 'yourself');
}

function record(
  tx: TxCtx,
  what: ActionAfter<'care.client_'>,
  id: string,
  details: AuditedAction['details'] & {},
): Promise<void> {
  const subject = { kind: 'person', id };
  return recordDone(tx, { action: `care.client_${what}`, subject, details });
}
