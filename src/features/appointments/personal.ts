import type { Expression } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { PersonalPart } from '#/platform/personal.ts';
import { m } from '#/texts/messages.js';
import { erasedAddress } from '#/features/accounts/rules.ts';
import { cancelUpcoming } from './life-cycle/commands.ts';
import { withReasons } from './appointment/queries.ts';

/** Selects appointments with this person as a guest. */
export type AsGuest = (db: Ctx['db'], personId: string) => Expression<{ id: string }>;

/**
 * Keeps times, service and price as the care record; erases anything that identifies the person. Learns where they were
 * guests from a later feature.
 */
export const appointmentsPersonal = ({ asGuest }: { asGuest: AsGuest }): PersonalPart => {
  /** Finds session children, which aren't indexed by person. */
  const sessionsOf = (db: Ctx['db'], personId: string) =>
    db
      .selectFrom('appointments')
      .select('id')
      .where(({ or, eb }) => or([eb('client_id', '=', personId), eb('provider_id', '=', personId)]))
      .union(asGuest(db, personId));
  return {
    name: 'booking',
    async collect(ctx, personId) {
      const { db } = ctx;
      const [bookings, appointments, participants, reminders, calendar_feeds, series_changes] =
        await Promise.all([
          db
            .selectFrom('bookings')
            .select(['id', 'client_id', 'idempotency_key', 'recurrence', 'created_at'])
            .where('client_id', '=', personId)
            .orderBy('created_at')
            .orderBy('id')
            .execute(),
          db
            .selectFrom('appointments')
            .selectAll()
            .where(({ or, eb }) => or([eb('client_id', '=', personId), eb('provider_id', '=', personId)]))
            .orderBy('starts_at')
            .orderBy('id')
            .execute(),
          db
            .selectFrom('participants')
            .selectAll()
            .where('appointment_id', 'in', sessionsOf(db, personId))
            .where('person_id', '=', personId)
            .orderBy('starts_at')
            .orderBy('appointment_id')
            .execute(),
          db
            .selectFrom('reminders')
            .selectAll()
            .where('appointment_id', 'in', sessionsOf(db, personId))
            .where('person_id', '=', personId)
            .orderBy('due_at')
            .orderBy('id')
            .execute(),
          db
            .selectFrom('calendar_feeds')
            .select(['person_id', 'made_at', 'read_at'])
            .where('person_id', '=', personId)
            .execute(),
          db
            .selectFrom('series_changes')
            .select(['person_id', 'idempotency_key', 'created_at'])
            .where('person_id', '=', personId)
            .orderBy('created_at')
            .orderBy('idempotency_key')
            .execute(),
        ]);
      const asProvider = appointments.some((row) => row.client_id !== personId);
      return {
        tables: {
          bookings,
          appointments: appointments
            .map((row) => withReasons(ctx, row))
            .map((row) => (row.client_id === personId ? row : ofTheirOwn(row, personId))),
          participants,
          reminders,
          calendar_feeds,
          series_changes,
        },
        leftOut: asProvider ? [m.booking_left_out_clients()] : [],
      };
    },
    async erase(tx, personId) {
      const { db } = tx;
      await db.deleteFrom('calendar_feeds').where('person_id', '=', personId).execute();
      await db.deleteFrom('series_changes').where('person_id', '=', personId).execute();
      await cancelUpcoming(tx, personId);
      await db
        .updateTable('appointments')
        .set({
          contact_name: m.web_erased_account(),
          contact_email: erasedAddress(personId),
          contact_phone: null,
          client_time_zone: 'UTC',
          cancel_reason: null,
          sealed_cancel_reason: null,
          moved_reason: null,
          sealed_moved_reason: null,
        })
        .where('client_id', '=', personId)
        .execute();
      await db
        .updateTable('appointments')
        .set({ cancel_reason: null, sealed_cancel_reason: null })
        .where('cancelled_by', '=', personId)
        .execute();
      // The reason may describe either party.
      await db
        .updateTable('appointments')
        .set({ moved_reason: null, sealed_moved_reason: null })
        .where('provider_id', '=', personId)
        .where(({ or, eb }) =>
          or([eb('moved_reason', 'is not', null), eb('sealed_moved_reason', 'is not', null)]),
        )
        .execute();
      await db.updateTable('bookings').set({ fingerprint: '' }).where('client_id', '=', personId).execute();
      await db
        .deleteFrom('reminders')
        .where('appointment_id', 'in', sessionsOf(db, personId))
        .where('person_id', '=', personId)
        .execute();
    },
  };
};

/** Strips client identity and client-written text from a provider's export. */
function ofTheirOwn<
  Row extends {
    client_id: string;
    contact_name: string;
    contact_email: string;
    contact_phone: string | null;
    client_time_zone: string;
    cancelled_by: string | null;
    cancel_reason: string | null;
  },
>(row: Row, personId: string) {
  const {
    client_id: _client,
    contact_name: _name,
    contact_email: _email,
    contact_phone: _phone,
    client_time_zone: _zone,
    cancel_reason,
    ...own
  } = row;
  return { ...own, cancel_reason: row.cancelled_by === personId ? cancel_reason : null };
}
