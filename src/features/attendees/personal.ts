import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { rowsOf, type PersonalPart } from '#/platform/personal.ts';
import { m } from '#/texts/messages.js';
import { leaveAllSessions } from './commands.ts';
import { appointmentsAsGuest } from './queries.ts';

/** Accepted, or pending to their verified email. */
function invitationsTo({ db }: Pick<Ctx, 'db'>, personId: string) {
  return db
    .selectFrom('session_guests')
    .select('id')
    .where('person_id', '=', personId)
    .union(
      db
        .selectFrom('users')
        .innerJoin('session_guests', (join) =>
          join.on(sql`lower(session_guests.email)`, '=', sql`lower(users.email)`),
        )
        .select('session_guests.id')
        .where('users.id', '=', personId)
        .where('users.email_verified', '=', true)
        .where('session_guests.person_id', 'is', null),
    );
}

function invitationsBy({ db }: Pick<Ctx, 'db'>, personId: string) {
  return db
    .selectFrom('session_guests')
    .innerJoin('appointments', 'appointments.id', 'session_guests.appointment_id')
    .select('session_guests.id')
    .where('client_id', '=', personId);
}

export const attendeesPersonal: PersonalPart = {
  name: 'guests',
  async collect(ctx, personId) {
    const [session_guests, session_consents] = await Promise.all([
      ctx.db
        .selectFrom('session_guests')
        .select(['id', 'appointment_id', 'name', 'email', 'state'])
        .select(['invited_at', 'told_start', 'sends', 'sent_at', 'answered_at'])
        .where('id', 'in', invitationsTo(ctx, personId).union(invitationsBy(ctx, personId)))
        .orderBy('invited_at')
        .orderBy('id')
        .execute(),
      rowsOf(ctx.db, 'session_consents', 'person_id', personId, 'agreed_at', 'appointment_id'),
    ]);
    return { tables: { session_guests, session_consents } };
  },
  async erase(tx, personId) {
    const { db } = tx;
    await leaveAllSessions(tx, personId);
    // The rows below say where the person was a guest.
    await db
      .deleteFrom('reminders')
      .where('appointment_id', 'in', appointmentsAsGuest(db, personId))
      .where('person_id', '=', personId)
      .execute();
    await db
      .deleteFrom('participants')
      .where('person_id', '=', personId)
      .where(
        'appointment_id',
        'in',
        db.selectFrom('session_guests').select('appointment_id').where('person_id', '=', personId),
      )
      .execute();
    await db.deleteFrom('session_consents').where('person_id', '=', personId).execute();
    // The client may still see that a guest attended; identity is erased.
    await db
      .updateTable('session_guests')
      .set({
        name: m.web_erased_account(),
        email: null,
        token_hash: null,
        state: 'left',
        person_id: null,
      })
      .where('person_id', '=', personId)
      .execute();
    await db.deleteFrom('session_guests').where('id', 'in', invitationsTo(tx, personId)).execute();
    await db
      .deleteFrom('session_guests')
      .where('id', 'in', invitationsBy(tx, personId))
      .where('person_id', 'is', null)
      .execute();
    await db
      .updateTable('session_guests')
      .set({ email: null, token_hash: null })
      .where('id', 'in', invitationsBy(tx, personId))
      .execute();
  },
};
