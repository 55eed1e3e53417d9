import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Self } from '#/features/access/rules.ts';
import { requireParty } from '#/features/appointments/appointment/policies.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import {
  acceptance,
  bookCouple,
  invited,
  mailedToken,
  withGuest,
  type Couple,
} from '../../../../tests/support/guests.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { acceptInvitation, declineInvitation } from '../answers/commands.ts';
import { guestList, guestSessions } from '../queries.ts';
import { cancel, complete, reschedule } from '#/features/appointments/life-cycle/commands.ts';
import { deleteOldInvitations, invite, resend, withdraw } from './commands.ts';
import { invitationOf } from './queries.ts';
import { requirePartaker } from '../policies.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const { db, as, setNow, runJobs, readMails } = database;
const noon = '2026-03-02T12:00:00Z';
const monday = '2026-03-09T14:00:00Z';
const nobody = as({ kind: 'guest' });

const listed = async (person: Person, appointmentId: string) =>
  guestList(as(person), await requireParty(as(person), appointmentId));
const reason = async (attempt: Promise<unknown>) => {
  const { code, reason: why } = await refusalOf(attempt);
  return `${code} ${why}`;
};

describe('inviting', () => {
  test('stores the invitation and emails a link whose token isn’t stored', async () => {
    setNow(noon);
    const couple = await bookCouple(database);
    const guest = await invited(database, couple, 'naomi@guests.example');
    expect(guest).toMatchObject({
      name: 'Naomi',
      email: 'naomi@guests.example',
      state: 'invited',
      resendable: false,
    });
    const entries = await db
      .selectFrom('audit_entries')
      .select(['actor_id', 'details'])
      .where('action', '=', 'booking.guest_invited')
      .where('subject_id', '=', couple.appointmentId)
      .orderBy('id')
      .execute();
    expect(entries).toEqual([{ actor_id: couple.client.id, details: { guestId: guest.id } }]);
    const token = await mailedToken(database, 'naomi@guests.example');
    expect(token).toHaveLength(43);
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(g)::text as row from session_guests g
        union all select to_jsonb(a)::text from audit_entries a
        union all select j.data::text from jobs.job j`.execute(db);
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.filter(({ row }) => row.includes(token))).toEqual([]);
  });

  test('emails no service, specialist, surname or other client-written text', async () => {
    setNow(noon);
    const couple = await bookCouple(database);
    await db
      .updateTable('profiles')
      .set({ full_name: 'Hannah Zedekiah' })
      .where('id', '=', couple.client.id)
      .execute();
    await invite(as(couple.client), {
      appointmentId: couple.appointmentId,
      name: 'Visit evil.example today',
      email: 'a.stranger@guests.example',
      agreed: true,
    });
    await runJobs();
    const [mail] = await readMails((rows) => rows.where('recipient', '=', 'a.stranger@guests.example'));
    const all = `${mail!.subject}\n${mail!.text_body}\n${mail!.html_body}`;
    expect(mail!.subject).toBe('You’re invited: Mon, Mar 9, 10:00 AM EDT');
    expect(mail!.text_body).toContain('Hannah invited you to join a session');
    expect(all).not.toMatch(/Zedekiah|Bonds|couple|evil\.example|Person |therap|counsel/i);
  });

  test('requires the client of a multi-person session to consent', async () => {
    setNow(noon);
    const couple = await bookCouple(database);
    const { client, provider, appointmentId } = couple;
    const one = await bookCouple(database, { serviceId: 'individuals' });
    const asked = { appointmentId, name: 'Naomi', email: 'n1@guests.example', agreed: true };
    expect(await reason(invite(as(await addClient(db)), asked))).toBe('not_found appointment');
    expect(await reason(invite(as(provider), asked))).toBe('forbidden not_your_part');
    expect(await reason(invite(as(one.client), { ...asked, appointmentId: one.appointmentId }))).toBe(
      'precondition not_for_several',
    );
    expect(await reason(invite(as(client), { ...asked, agreed: false }))).toBe(
      'precondition consent_missing',
    );
    expect(await reason(invite(as(client), { ...asked, email: `${client.id}@PEOPLE.example` }))).toBe(
      'invalid yourself',
    );
    expect((await requirePartaker(as(client), appointmentId)).consented).toBe(true);
    await invite(as(client), asked);
    // Consent is needed only once.
    await invite(as(client), { ...asked, agreed: false, email: 'n2@guests.example' });
    expect(await reason(invite(as(client), { ...asked, email: 'N1@Guests.example' }))).toBe(
      'conflict already_invited',
    );
    expect(await listed(client, appointmentId)).toMatchObject({ places: 2, agreed: true });
  });

  test('limits invitations to four, even concurrently, and frees a place on decline', async () => {
    setNow(noon);
    const couple = await bookCouple(database, { serviceId: 'families' });
    const ask = (n: number) =>
      invite(as(couple.client), {
        appointmentId: couple.appointmentId,
        name: 'Child',
        email: `child${n}-${couple.appointmentId}@guests.example`,
        agreed: true,
      });
    const ends = await Promise.allSettled(Array.from({ length: 7 }, (_, n) => ask(n)));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(await reason(ask(8))).toBe('conflict guests_full');
    await runJobs();
    const { guests, places } = await listed(couple.client, couple.appointmentId);
    expect([guests.length, places]).toEqual([4, 0]);
    await declineInvitation(nobody, await mailedToken(database, guests[0]!.email!));
    expect((await listed(couple.client, couple.appointmentId)).places).toBe(1);
    await ask(9);
  });

  test('stops when the session starts or ends early', async () => {
    setNow(noon);
    const [begun, cancelled] = [await bookCouple(database), await bookCouple(database)];
    await cancel(as(cancelled.client), cancelled.appointmentId);
    const asked = { name: 'Naomi', email: 'late@guests.example', agreed: true };
    expect(
      await reason(invite(as(cancelled.client), { ...asked, appointmentId: cancelled.appointmentId })),
    ).toBe('conflict wrong_status');
    setNow(monday);
    expect(await reason(invite(as(begun.client), { ...asked, appointmentId: begun.appointmentId }))).toBe(
      'precondition already_started',
    );
    expect((await listed(begun.client, begun.appointmentId)).places).toBe(0);
  });

  test('is limited to 20 a day, and 5 per address across all clients', { tags: ['long'] }, async () => {
    setNow(noon);
    const client = await addClient(db);
    const provider = await addProvider(db, { services: ['couples'] });
    await db.updateTable('site_settings').set({ max_daily_bookings: 50 }).execute();
    const sessions: Couple[] = [];
    for (let n = 0; n < 6; n++) {
      const startsAt = `2026-03-${16 + n}T14:00:00Z`;
      if (n === 6 - 1) break;
      sessions.push(await bookCouple(database, { client, provider, startsAt }));
    }
    let count = 0;
    for (const { appointmentId } of sessions) {
      for (let n = 0; n < 4; n++) {
        await invite(as(client), {
          appointmentId,
          name: 'N',
          email: `many${count++}@guests.example`,
          agreed: true,
        });
      }
    }
    expect(count).toBe(20);
    const [first] = sessions;
    await withdraw(as(client), (await listed(client, first!.appointmentId)).guests[0]!.id);
    const more = {
      appointmentId: first!.appointmentId,
      name: 'N',
      email: 'many99@guests.example',
      agreed: true,
    };
    expect(await reason(invite(as(client), more))).toBe('rate_limited too_many_invitations');
    for (let n = 0; n < 5; n++) await invited(database, await bookCouple(database), 'popular@guests.example');
    const sixth = await bookCouple(database);
    expect(
      await reason(
        invite(as(sixth.client), {
          ...more,
          appointmentId: sixth.appointmentId,
          email: 'Popular@guests.example',
        }),
      ),
    ).toBe('rate_limited too_many_invitations');
  });

  test('emails a new link on resend and invalidates the old one', async () => {
    setNow(noon);
    const couple = await bookCouple(database);
    const before = await invited(database, couple);
    expect(await reason(resend(as(couple.client), before.id))).toBe('rate_limited just_sent');
    expect(await reason(resend(as(couple.provider), before.id))).toBe('not_found guest');
    setNow('2026-03-02T12:10:00Z');
    expect((await listed(couple.client, couple.appointmentId)).guests[0]!.resendable).toBe(true);
    await resend(as(couple.client), before.id);
    await runJobs();
    const token = await mailedToken(database, before.email!);
    expect(token).not.toBe(before.token);
    expect(await reason(invitationOf(nobody, before.token))).toBe('not_found invitation');
    expect((await invitationOf(nobody, token)).state).toBe('open');
    setNow('2026-03-02T12:20:00Z');
    await resend(as(couple.client), before.id);
    setNow('2026-03-02T12:40:00Z');
    expect(await reason(resend(as(couple.client), before.id))).toBe('rate_limited too_many_sends');
  });
});

describe('an invitation', () => {
  test('shows link holders only the inviter, time, provider and format', async () => {
    setNow(noon);
    const couple = await bookCouple(database);
    await db
      .updateTable('profiles')
      .set({ full_name: 'Ruth Amsel' })
      .where('id', '=', couple.client.id)
      .execute();
    const { token } = await invited(database, couple);
    const seen = await invitationOf(nobody, token);
    expect(seen).toEqual({
      state: 'open',
      session: {
        appointmentId: couple.appointmentId,
        inviter: 'Ruth',
        guestName: 'Naomi',
        provider: { name: `Person ${couple.provider.id.slice(-6)}`, title: 'Psychologist' },
        sessionType: 'online',
        startsAt: monday,
        endsAt: '2026-03-09T15:00:00Z',
        timeZone: 'America/New_York',
        confirmed: true,
        moved: false,
      },
    });
  });

  test('reports a reschedule, and accepts only the time shown', async () => {
    setNow(noon);
    const couple = await bookCouple(database);
    const { token } = await invited(database, couple);
    await reschedule(as(couple.provider), couple.appointmentId, '2026-03-10T14:00:00Z');
    expect((await invitationOf(nobody, token)).session).toMatchObject({
      moved: true,
      startsAt: '2026-03-10T14:00:00Z',
    });
    const guest = await addClient(db);
    expect(await reason(acceptInvitation(as(guest), acceptance(token)))).toBe('conflict invitation_moved');
    await acceptInvitation(as(guest), acceptance(token, '2026-03-10T14:00:00Z'));
  });

  test.each([
    ['withdrawn', async (session: Couple, id: string) => withdraw(as(session.client), id)],
    ['cancelled', async (session: Couple) => cancel(as(session.provider), session.appointmentId)],
    [
      'over',
      async (session: Couple) => {
        setNow('2026-03-09T14:30:00Z');
        await complete(as(session.provider), session.appointmentId);
      },
    ],
    ['over', async () => setNow('2026-03-09T15:00:00Z')],
    ['declined', async (_: Couple, __: string, token: string) => declineInvitation(nobody, token)],
    [
      'used',
      async (_: Couple, __: string, token: string) =>
        acceptInvitation(as(await addClient(db)), acceptance(token)),
    ],
  ] as const)('hides the session and can’t be accepted once %s', async (state, happen) => {
    setNow(noon);
    const couple = await bookCouple(database);
    const { id, token } = await invited(database, couple);
    await happen(couple, id, token);
    const guest = await addClient(db);
    for (const ctx of [nobody, as(guest)])
      expect(await invitationOf(ctx, token)).toEqual({ state, session: null });
    expect(await reason(acceptInvitation(as(guest), acceptance(token)))).toBe(`conflict invitation_${state}`);
    expect(await guestSessions(as(guest), guest.id as Self)).toEqual([]);
  });

  test('returns not_found for an unknown link', async () => {
    setNow(noon);
    for (const token of ['x', 'A'.repeat(43), '\u202e']) {
      expect(await reason(invitationOf(nobody, token))).toBe('not_found invitation');
      expect(await reason(acceptInvitation(as(await addClient(db)), acceptance(token)))).toBe(
        'not_found invitation',
      );
      expect(await reason(declineInvitation(nobody, token))).toBe('not_found invitation');
    }
  });

  test('isn’t for the session’s client or provider', async () => {
    setNow(noon);
    const couple = await bookCouple(database);
    const { token } = await invited(database, couple);
    for (const person of [couple.client, couple.provider]) {
      expect(await invitationOf(as(person), token)).toEqual({ state: 'own', session: null });
      expect(await reason(acceptInvitation(as(person), acceptance(token)))).toBe('conflict invitation_own');
    }
  });
});

test('deletes unaccepted invitees and every entered address a month after the session', async () => {
  setNow(noon);
  const session = await withGuest(database);
  const { email } = await invited(database, session);
  const system = as({ kind: 'job', name: 'tidy' });
  // Undelivered invitations expire when the session starts.
  const unsent = () => readMails((rows) => rows.where('recipient', '=', email!));
  setNow('2026-04-08T13:59:59Z');
  await deleteOldInvitations(system);
  expect(await unsent()).toHaveLength(1);
  setNow('2026-04-08T14:59:59Z');
  await deleteOldInvitations(system);
  expect((await listed(session.client, session.appointmentId)).guests.map((one) => one.email)).toContain(
    email,
  );
  setNow('2026-04-08T15:00:01Z');
  await deleteOldInvitations(system);
  expect(await unsent()).toEqual([]);
  const { guests } = await listed(session.client, session.appointmentId);
  expect(guests.map((one) => [one.name, one.email, one.state])).toEqual([['Naomi W.', null, 'accepted']]);
});
