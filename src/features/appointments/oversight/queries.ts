import { authorize } from '#/features/access/rules.ts';
import { namesOf } from '#/features/accounts/names/queries.ts';
import { requirePerson } from '#/features/accounts/policies.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { administeredAppointment, appointmentsOf, longestSession } from '../administration/queries.ts';
import { requireAppointment } from '../appointment/policies.ts';
import type { OpenedAppointment, PersonAppointments } from '../contract.ts';

/** Number of next and of latest appointments shown. */
const shown = 3;

/** Returns an appointment with its place and reminders. Throws `not_found` (`appointment`). */
export async function openedAppointment(ctx: Ctx, id: string): Promise<OpenedAppointment> {
  const appointment = await administeredAppointment(ctx, id);
  const [row, reminders] = await Promise.all([
    ctx.db
      .selectFrom('appointments')
      .innerJoin('profiles as client', 'client.id', 'client_id')
      .leftJoin('places', 'places.id', 'place_id')
      .where('appointments.id', '=', id)
      .select(['booking_id', 'appointments.created_at', 'places.name', 'address'])
      .select(({ fn }) => fn.coalesce('client.time_zone', 'client_time_zone').as('client_zone'))
      .executeTakeFirst(),
    ctx.db
      .selectFrom('reminders')
      .innerJoin('users', 'users.id', 'person_id')
      .where('appointment_id', '=', id)
      .select(['reminders.id', 'users.name', 'due_at', 'sent_at'])
      .orderBy('due_at')
      .orderBy('reminders.id')
      .execute(),
  ]);
  const { booking_id, created_at, client_zone, name, address } = requireAppointment(row);
  return {
    ...appointment,
    bookingId: booking_id,
    bookedAt: isoOf(created_at),
    clientTimeZone: client_zone,
    place: name === null || address === null ? null : { name, address },
    reminders: reminders.map(({ due_at, sent_at, ...reminder }) => ({
      ...reminder,
      dueAt: isoOf(due_at),
      sentAt: sent_at && isoOf(sent_at),
    })),
  };
}

/** Returns a person's next and ended appointments. Throws `not_found` (`person`). */
export async function appointmentsOfPerson(ctx: Ctx, personId: string): Promise<PersonAppointments> {
  authorize(ctx.actor, ['manage_appointments']);
  requirePerson((await namesOf(ctx, [personId]))[0]);
  const now = new Date(ctx.now().epochMilliseconds);
  const those = (side: 'client_id' | 'provider_id', ended: boolean) =>
    ctx.db
      .selectFrom('appointments')
      .where(side, '=', personId)
      .where('ends_at', ended ? '<=' : '>', now)
      // Uses the starts index; no session is longer.
      .where('starts_at', ended ? '<=' : '>', ended ? now : new Date(now.getTime() - longestSession))
      .select(['id', 'starts_at'])
      .orderBy('starts_at', ended ? 'desc' : 'asc')
      .limit(shown + 1);
  const idsOf = async (ended: boolean) => {
    const found = await Promise.all(
      [those('client_id', ended), those('provider_id', ended)].map((side) => side.execute()),
    );
    const direction = ended ? -1 : 1;
    return found
      .flat()
      .toSorted((one, other) => direction * (one.starts_at.getTime() - other.starts_at.getTime()))
      .map(({ id }) => id);
  };
  const [next, recent] = await Promise.all([idsOf(false), idsOf(true)]);
  const [coming, ended] = await Promise.all(
    [next, recent].map((ids) => appointmentsOf(ctx, ids.slice(0, shown))),
  );
  return {
    next: coming!,
    recent: ended!,
    more: next.length > shown || recent.length > shown,
  };
}
