import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { bookCouple, invited } from '../../../tests/support/guests.ts';
import { addClients, addProvider, type Person } from '../../../tests/support/people.ts';
import { overlapsSql } from '../../../tests/support/race.ts';
import { proving } from '../../../tests/support/prove.ts';
import { cancel, reschedule } from '#/features/appointments/life-cycle/commands.ts';
import { acceptInvitation } from './answers/commands.ts';
import { leave } from './commands.ts';

const database = await testDatabase({ now: '2026-02-16T12:00:00Z', poolSize: 10 });
const { db, as, url } = database;
// A second pool simulates another server process: they share no memory.
const second = connect(url, 10);
const elsewhere = (person: Person): Ctx => ({ ...as(person), db: second.db });
await db.updateTable('site_settings').set({ max_daily_bookings: 100 }).execute();

const rounds = proving ? 40 : 4;
const monday = '2026-03-09T14:00:00Z';

async function ends(attempts: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts);
  return settled.map((end) => {
    if (end.status === 'fulfilled') return 'won';
    if (end.reason instanceof AppError) return `${end.reason.code} ${end.reason.reason}`;
    throw end.reason;
  });
}

/** Finds participants whose held times differ from their session's. */
async function outOfStep(): Promise<unknown[]> {
  const { rows } = await sql`
    select p.* from participants p join appointments a on a.id = p.appointment_id
      where p.starts_at <> a.starts_at or p.ends_at <> a.ends_at
        or p.held <> (a.status in ('pending', 'confirmed'))
    union all
    select p.* from session_guests g join appointments a on a.id = g.appointment_id
      left join participants p on p.appointment_id = g.appointment_id and p.person_id = g.person_id
      where g.state = 'accepted' and p.person_id is null
    union all
    select p.* from participants p join appointments a on a.id = p.appointment_id
      where p.person_id not in (a.client_id, a.provider_id)
        and not exists (select 1 from session_guests g where g.appointment_id = p.appointment_id
          and g.person_id = p.person_id and g.state = 'accepted')`.execute(db);
  return rows;
}

test(
  'keeps a guest in step when accepting races with moves, cancellations and other bookings',
  { tags: ['long'] },
  async () => {
    const seen = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const provider = await addProvider(db, { services: ['couples'] });
      const other = await addProvider(db, { services: ['couples'] });
      const session = await bookCouple(database, { provider });
      const [guest] = await addClients(db, 1);
      const { token } = await invited(database, session);
      const taking = () =>
        acceptInvitation(elsewhere(guest!), {
          token,
          startsAt: monday,
          name: 'Naomi',
          agreed: true as const,
        });
      const moving = () => reschedule(as(session.client), session.appointmentId, '2026-03-10T15:00:00Z');
      const cancelling = () => cancel(as(session.provider), session.appointmentId);
      // Some overlap the session's old time, some its new time.
      const booking = () =>
        bookCouple(
          { db: second.db, as: elsewhere },
          {
            client: guest!,
            provider: other,
            startsAt: round % 2 ? '2026-03-09T14:30:00Z' : '2026-03-10T14:30:00Z',
          },
        );
      const all = round % 3 === 2 ? [taking, moving, cancelling, booking] : [taking, moving, booking];
      const told = await ends((round % 2 ? all : all.toReversed()).map((attempt) => attempt()));
      for (const end of told) seen.add(end);
      expect(await outOfStep()).toEqual([]);
      expect((await sql.raw(overlapsSql).execute(db)).rows).toEqual([]);
    }
    const allowed = [
      'won',
      'conflict invitation_moved',
      'conflict invitation_cancelled',
      'conflict not_free',
      'conflict own_clash',
      'conflict slot_taken',
      'conflict wrong_status',
    ];
    expect([...seen].filter((end) => !allowed.includes(end))).toEqual([]);
    expect(seen.has('won')).toBe(true);
  },
);

test('moves one of two sessions sharing a guest to the same time', { tags: ['long'] }, async () => {
  for (let round = 0; round < 4; round++) {
    const [guest] = await addClients(db, 1);
    const sessions = [];
    for (const startsAt of [monday, '2026-03-09T16:00:00Z']) {
      const session = await bookCouple(database, { startsAt });
      const { token } = await invited(database, session);
      await acceptInvitation(as(guest!), { token, startsAt, name: 'Naomi', agreed: true });
      sessions.push(session);
    }
    const told = await ends(
      sessions.map(({ client, appointmentId }, index) =>
        reschedule((index ? elsewhere : as)(client), appointmentId, '2026-03-11T15:00:00Z'),
      ),
    );
    expect(told.toSorted()).toEqual(['conflict not_free', 'won']);
    expect(await outOfStep()).toEqual([]);
  }
});

test('removes a leaving guest completely while the session moves', { tags: ['long'] }, async () => {
  for (let round = 0; round < 4; round++) {
    const session = await bookCouple(database);
    const [guest] = await addClients(db, 1);
    const { token } = await invited(database, session);
    await acceptInvitation(as(guest!), { token, startsAt: monday, name: 'Naomi', agreed: true });
    const told = await ends([
      leave(elsewhere(guest!), session.appointmentId),
      reschedule(as(session.provider), session.appointmentId, '2026-03-12T15:00:00Z'),
    ]);
    expect(told).toEqual(['won', 'won']);
    expect(await outOfStep()).toEqual([]);
    const left = await db.selectFrom('reminders').select('id').where('person_id', '=', guest!.id).execute();
    expect(left).toEqual([]);
  }
});
