import { expect, test } from 'vitest';
import { invitationOf } from '#/features/booking/invitations/queries.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { bookCouple, invited, mailedToken } from '../../../../tests/support/guests.ts';
import { mailInvitation } from './commands.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const { db, as } = database;

test('a job that runs twice mails one invitation, and its link stays', async () => {
  const couple = await bookCouple(database);
  const { id, token, email } = await invited(database, couple);
  await mailInvitation(
    as({ kind: 'job', name: 'again' }),
    { guestId: id, sends: 1 },
    'https://italk.example',
  );
  expect(await mailedToken(db, email!)).toBe(token);
  expect((await invitationOf(as({ kind: 'guest' }), token)).state).toBe('open');
});
