import { expect, test } from 'vitest';
import { invitationOf } from '#/features/attendees/invitations/queries.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { bookCouple, invited, mailedToken } from '../../../../tests/support/guests.ts';
import { guestNotifications } from './guests.ts';
import { reactionTo } from './notification.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const { as, db } = database;
const guestInvited = reactionTo(
  guestNotifications.find(({ event }) => event === 'booking.guest_invited')!,
  'https://italk.example',
);

test('keeps the invitation’s emailed link valid when its job runs twice', async () => {
  const couple = await bookCouple(database);
  const { id, token, email } = await invited(database, couple);
  const job = as({ kind: 'job', name: 'again' });
  await guestInvited.handle(job, { guestId: id, sends: 1 }, { id: job.newId(), requestId: 'test' });
  expect(await mailedToken(database, email!)).toBe(token);
  expect((await invitationOf(as({ kind: 'guest' }), token)).state).toBe('open');
});

test('sends an invitation with priority, expiring when the session starts', async () => {
  const { id, email } = await invited(database, await bookCouple(database));
  const { starts_at } = await db
    .selectFrom('session_guests')
    .innerJoin('appointments', 'appointments.id', 'appointment_id')
    .select('starts_at')
    .where('session_guests.id', '=', id)
    .executeTakeFirstOrThrow();
  const mail = await db
    .selectFrom('mails')
    .select(['kind', 'urgent', 'expires_at'])
    .where('recipient', '=', email!)
    .executeTakeFirstOrThrow();
  expect(mail).toEqual({ kind: 'guest_invitation', urgent: true, expires_at: starts_at });
});
