import { AppError } from '#/kernel/errors.ts';
import { requirePartaker, type Partaker } from '#/features/attendees/policies.ts';
import { guestsOf } from '#/features/attendees/queries.ts';
import { requireOn } from '#/features/settings/flags/policies.ts';
import { offers } from '#/features/settings/flags/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { RoomRefusal } from './contract.ts';
import { isAdmitted, refuseRoom, roomHours } from './rules.ts';

/** One person's access; instants in epoch milliseconds. */
export interface RoomAccess {
  partaker: Partaker;
  refusal: RoomRefusal | null;
  /** Doesn't wait: the provider, and people let in since the room opened. */
  admitted: boolean;
  opens: number;
  closes: number;
}

export function roomRows({ db }: Pick<Ctx, 'db'>) {
  return db
    .selectFrom('appointments')
    .innerJoin('providers', 'providers.id', 'appointments.provider_id')
    .leftJoin('video_rooms', 'video_rooms.appointment_id', 'appointments.id')
    .select([
      'appointments.status',
      'appointments.session_type',
      'appointments.starts_at',
      'appointments.ends_at',
      'video_rooms.ended_at',
    ])
    .select(({ ref }) =>
      offers('video_sessions', { id: ref('providers.id'), kind: ref('providers.kind') }).as('offers_video'),
    );
}

type RoomRow = Awaited<ReturnType<ReturnType<typeof roomRows>['executeTakeFirstOrThrow']>>;

/** Returns why a room is closed, or null. */
export function refusalOf(row: Omit<RoomRow, 'offers_video'>, consented: boolean, now: number) {
  return refuseRoom({
    status: row.status,
    start: row.starts_at.getTime(),
    end: row.ends_at.getTime(),
    endedAt: row.ended_at?.getTime() ?? null,
    consented,
    now,
  });
}

/**
 * Returns the actor's access to an online session's room. Throws `not_found` for non-participants, other session types
 * and disabled video sessions.
 */
export async function requireRoom(ctx: Ctx, appointmentId: string): Promise<RoomAccess> {
  const partaker = await requirePartaker(ctx, appointmentId);
  const row = await roomRows(ctx)
    .leftJoin('room_admissions', (join) =>
      join
        .onRef('room_admissions.appointment_id', '=', 'appointments.id')
        .on('room_admissions.person_id', '=', partaker.personId),
    )
    .select('room_admissions.admitted_at')
    .where('appointments.id', '=', appointmentId)
    .executeTakeFirstOrThrow();
  if (row.session_type !== 'online') throw new AppError('not_found', 'room');
  requireOn(row.offers_video, 'video_sessions');
  const hours = roomHours({ start: row.starts_at.getTime(), end: row.ends_at.getTime() });
  const admittedAt = row.admitted_at?.getTime() ?? null;
  return {
    partaker,
    refusal: refusalOf(row, partaker.consented, ctx.now().epochMilliseconds),
    admitted: isAdmitted({ part: partaker.part, admittedAt, opens: hours.opens }),
    ...hours,
  };
}

/** Like `requireRoom`; throws `precondition` if closed. */
export async function requireOpenRoom(ctx: Ctx, appointmentId: string): Promise<RoomAccess> {
  const access = await requireRoom(ctx, appointmentId);
  if (access.refusal) throw new AppError('precondition', access.refusal);
  return access;
}

/** Throws `forbidden` for all but the provider. */
export function requireProvider({ part }: Partaker): void {
  if (part !== 'provider') throw new AppError('forbidden', 'not_your_part');
}

/** Throws `not_found` (`person`) for people whom the provider can't admit: neither the client nor a guest. */
export async function requireParticipant(
  ctx: Ctx,
  { appointmentId, clientId }: Partaker,
  personId: string,
): Promise<void> {
  const guests = await guestsOf(ctx, appointmentId);
  if (personId !== clientId && guests.every((guest) => guest.personId !== personId)) {
    throw new AppError('not_found', 'person');
  }
}
