import { sql } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import { newId } from '#/platform/clock.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { Connection } from '#/platform/realtime/frames.ts';
import { guestsOf } from '#/features/attendees/queries.ts';
import { maxAttendees } from '#/features/attendees/rules.ts';
import { lockRoom, notifyRoom } from '../commands.ts';
import { roomRows, refusalOf, requireOpenRoom } from '../policies.ts';
import { hasPlace, maxPeersOfPerson, peerTopic, roomHours } from '../rules.ts';
import { peersOf, presentPeers } from '../queries.ts';

/** Marks which process holds a peer's socket, so that peers of crashed processes expire. */
const ownProcess = newId();

/** Adds a connection to a room, waiting or admitted; it leaves any other room. */
export async function enterRoom(ctx: Ctx, appointmentId: string, connection: Connection): Promise<void> {
  const { id: peerId } = connection;
  await requireOpenRoom(ctx, appointmentId);
  // Before joining, to miss no event.
  connection.grant(peerTopic(peerId));
  connection.onClose('room', (later) => leaveRoom(later, { peerId }));
  await transact(ctx, async (tx) => {
    await lockRoom(tx, appointmentId);
    await joinRoom(tx, appointmentId, peerId);
  });
  connection.send({ type: 'room.here', id: appointmentId, data: { peerId } });
}

async function joinRoom(tx: TxCtx, appointmentId: string, peerId: string): Promise<void> {
  const { partaker } = await requireOpenRoom(tx, appointmentId);
  const { personId, part } = partaker;
  const present = await peersOf(tx, appointmentId);
  const others = new Map(
    present.filter((peer) => peer.personId !== personId).map((peer) => [peer.personId, peer.part]),
  );
  if (!hasPlace(part, [...others.values()], maxAttendees)) throw new AppError('conflict', 'room_full');
  const own = present.filter((peer) => peer.personId === personId && peer.peerId !== peerId);
  const replaced = own.slice(0, Math.max(0, own.length + 1 - maxPeersOfPerson));
  const before = await tx.db
    .selectFrom('room_peers')
    .select('appointment_id')
    .where('peer_id', '=', peerId)
    .executeTakeFirst();
  const at = new Date(tx.now().epochMilliseconds);
  const values = { appointment_id: appointmentId, process_id: ownProcess, entered_at: at, seen_at: at };
  await tx.db
    .insertInto('room_peers')
    .values({ peer_id: peerId, person_id: personId, ...values })
    .onConflict((conflict) => conflict.column('peer_id').doUpdateSet(values))
    .execute();
  if (before && before.appointment_id !== appointmentId) await notifyRoom(tx, before.appointment_id);
  if (present.some((peer) => peer.peerId === peerId)) return;
  await tx.db
    .deleteFrom('room_peers')
    .where('peer_id', 'in', listed(replaced.map((peer) => peer.peerId)))
    .execute();
  await notifyRoom(
    tx,
    appointmentId,
    replaced.map((peer) => peerTopic(peer.peerId)),
  );
}

/** Removes a connection from the given room, or its current one. */
export async function leaveRoom(
  ctx: Ctx,
  { peerId, appointmentId }: { peerId: string; appointmentId?: string },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const left = await tx.db
      .deleteFrom('room_peers')
      .where('peer_id', '=', peerId)
      .$if(appointmentId !== undefined, (rows) => rows.where('appointment_id', '=', appointmentId!))
      .returning('appointment_id')
      .executeTakeFirst();
    if (left) await notifyRoom(tx, left.appointment_id);
  });
}

/**
 * Removes peers after a reschedule, cancellation or guest withdrawal, and tells everyone to refetch. Former
 * participants also lose their admission.
 */
export async function reviewRoom(ctx: Ctx, appointmentId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockRoom(tx, appointmentId);
    const row = await roomRows(tx)
      .select(['appointments.provider_id', 'appointments.client_id'])
      .where('appointments.id', '=', appointmentId)
      .executeTakeFirst();
    if (!row) return;
    // First, so that they are notified too.
    await notifyRoom(tx, appointmentId);
    const isOpen = refusalOf(row, true, tx.now().epochMilliseconds) === null;
    const staying = isOpen ? await peersOf(tx, appointmentId) : [];
    const guests = await guestsOf(tx, appointmentId);
    await tx.db
      .deleteFrom('room_peers')
      .where('appointment_id', '=', appointmentId)
      .where('peer_id', 'not in', listed(staying.map((peer) => peer.peerId)))
      .execute();
    await tx.db
      .deleteFrom('room_admissions')
      .where('appointment_id', '=', appointmentId)
      .where(
        'person_id',
        'not in',
        listed([row.provider_id, row.client_id, ...guests.map((guest) => guest.personId)]),
      )
      .execute();
  });
}

/** Runs `reviewRoom` for a guest's session. */
export async function reviewRoomOfGuest(ctx: Ctx, guestId: string): Promise<void> {
  const guest = await ctx.db
    .selectFrom('session_guests')
    .select('appointment_id')
    .where('id', '=', guestId)
    .executeTakeFirst();
  if (guest) await reviewRoom(ctx, guest.appointment_id);
}

/**
 * Refreshes this process's peers, then removes peers of dead processes, former participants and closed rooms. Run well
 * within `absentMs`.
 */
export async function refreshPresence(ctx: Ctx): Promise<void> {
  const now = ctx.now().epochMilliseconds;
  // Processes may deadlock here; `transact` retries.
  await transact(ctx, async (tx) => {
    await tx.db
      .updateTable('room_peers')
      .set({ seen_at: new Date(now) })
      .where('process_id', '=', ownProcess)
      .execute();
  });
  const span = roomHours({ start: 0, end: 0 });
  await transact(ctx, async (tx) => {
    const gone = await tx.db
      .deleteFrom('room_peers')
      .where('peer_id', 'not in', (eb) =>
        eb
          .selectFrom(presentPeers(tx).as('present'))
          .select('present.peer_id')
          .where('present.ends_at', '>', new Date(now - span.closes)),
      )
      .returning(['peer_id', 'appointment_id'])
      .execute();
    for (const [appointmentId, peers] of Map.groupBy(gone, (peer) => peer.appointment_id)) {
      await notifyRoom(
        tx,
        appointmentId,
        peers.map((peer) => peerTopic(peer.peer_id)),
      );
    }
  });
}

/** Removes this process's peers on shutdown. */
export async function endPresence(ctx: Ctx): Promise<void> {
  await transact(ctx, async (tx) => {
    const gone = await tx.db
      .deleteFrom('room_peers')
      .where('process_id', '=', ownProcess)
      .returning('appointment_id')
      .execute();
    for (const id of new Set(gone.map((peer) => peer.appointment_id))) await notifyRoom(tx, id);
  });
}

/** Supports empty lists, unlike `in`. */
function listed(ids: readonly string[]) {
  return sql<string>`(select unnest(${[...ids]}::uuid[]))`;
}
