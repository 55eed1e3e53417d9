import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { authorize } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { guestsOf } from '#/features/attendees/queries.ts';
import type { SessionPage } from './contract.ts';
import { requireRoom, requireOpenRoom, requireParticipant, requireProvider } from './policies.ts';
import { sessionPage } from './queries.ts';
import { peerTopic } from './rules.ts';

/** Retention in milliseconds; longer than any session. */
const keptMs = 24 * 3_600_000;

/** Admits a participant; throws `not_found` with `person` for anyone else. */
export async function admit(
  ctx: Ctx,
  appointmentId: string,
  personId: string,
): Promise<{ personId: string }> {
  authorize(ctx.actor, ['manage_own_appointments']);
  return transact(ctx, async (tx) => {
    const { partaker, opens } = await requireOpenRoom(tx, appointmentId);
    requireProvider(partaker);
    await requireParticipant(tx, partaker, personId);
    const admitted_at = new Date(tx.now().epochMilliseconds);
    const admitted = await tx.db
      .insertInto('room_admissions')
      .values({ appointment_id: appointmentId, person_id: personId, admitted_at })
      .onConflict((conflict) =>
        conflict
          .columns(['appointment_id', 'person_id'])
          .doUpdateSet({ admitted_at })
          // Renews an admission from before a reschedule.
          .where('room_admissions.admitted_at', '<', new Date(opens)),
      )
      .returning('person_id')
      .executeTakeFirst();
    if (admitted) {
      await recordDone(tx, {
        action: 'video.admitted',
        subject: { kind: 'appointment', id: appointmentId },
        details: { personId },
      });
      await notifyRoom(tx, appointmentId, [`person:${personId}`]);
    }
    return { personId };
  });
}

/** Ends the room for everyone, once. */
export async function endRoom(ctx: Ctx, appointmentId: string): Promise<SessionPage> {
  authorize(ctx.actor, ['manage_own_appointments']);
  return transact(ctx, async (tx) => {
    requireProvider((await requireRoom(tx, appointmentId)).partaker);
    await lockRoom(tx, appointmentId);
    const { partaker, refusal } = await requireRoom(tx, appointmentId);
    if (refusal === null) {
      const ended = { ended_at: new Date(tx.now().epochMilliseconds), ended_by: partaker.personId };
      await tx.db
        .insertInto('video_rooms')
        .values({ appointment_id: appointmentId, ...ended })
        .onConflict((conflict) => conflict.column('appointment_id').doUpdateSet(ended))
        .execute();
      await recordDone(tx, { action: 'video.ended', subject: { kind: 'appointment', id: appointmentId } });
      // Includes people still on the waiting page.
      const guests = await guestsOf(tx, appointmentId);
      const people = [partaker.providerId, partaker.clientId, ...guests.map((guest) => guest.personId)];
      await notifyRoom(
        tx,
        appointmentId,
        people.map((id) => `person:${id}`),
      );
      await tx.db.deleteFrom('room_peers').where('appointment_id', '=', appointmentId).execute();
    } else if (refusal !== 'ended' && refusal !== 'over') throw new AppError('precondition', refusal);
    return sessionPage(tx, appointmentId);
  });
}

/** Deletes room admissions and endings after a day. */
export async function deleteEndedRooms({ db, now }: Ctx): Promise<void> {
  const before = new Date(now().epochMilliseconds - keptMs);
  await db.deleteFrom('video_rooms').where('ended_at', '<', before).execute();
  await db.deleteFrom('room_admissions').where('admitted_at', '<', before).execute();
}

/** Serializes changes to a room. */
export async function lockRoom(tx: TxCtx, appointmentId: string): Promise<void> {
  await tx.db
    .selectFrom('appointments')
    .select('id')
    .where('id', '=', appointmentId)
    .forNoKeyUpdate()
    .execute();
}

/** Notifies a room's peers and the given topics to refetch it. */
export async function notifyRoom(
  tx: TxCtx,
  appointmentId: string,
  others: readonly string[] = [],
): Promise<void> {
  const peers = await tx.db
    .selectFrom('room_peers')
    .select('peer_id')
    .where('appointment_id', '=', appointmentId)
    .execute();
  const topics = [...peers.map((peer) => peerTopic(peer.peer_id)), ...others];
  if (topics.length > 0) await publish(tx, topics, { type: 'room.changed', id: appointmentId });
}
