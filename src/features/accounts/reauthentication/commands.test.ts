import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { appUrl, identitiesOf, password } from '../../../../tests/support/identity.ts';
import { blockedConnections } from '../../../../tests/support/locks.ts';
import { hashOf } from '../../../../tests/support/passwords.ts';
import { freshSession, type Person } from '../../../../tests/support/people.ts';
import { createApiToken } from '../api-tokens/commands.ts';
import { requireFresh, requireFullyFresh, setPassword } from '../commands.ts';
import { requestEmailChange } from '../email-change/commands.ts';
import { countAttempts } from '../tries/commands.ts';
import { beginPasskey } from '../passkeys/commands.ts';
import { beginSecondFactor, confirmSecondFactor } from '../second-factor/commands.ts';
import { reauthenticate } from './commands.ts';

const database = await testDatabase({ poolSize: 4 });
const { guest, production, send, actorOf, verified, entries } = identitiesOf(database);
const { db, as } = database;
await db.updateTable('feature_flags').set({ enabled: true, scope: 'global' }).execute();

let number = 0;

/** Has an app's codes; confirmed nothing yet. */
async function withFactor() {
  const email = `both.factors.${(number += 1)}@italk.test`;
  const { cookie } = await verified(email);
  const person = (await actorOf(production, cookie)) as Person;
  const { secret } = await beginSecondFactor(as(person), { password });
  const code = (seconds: number) => {
    const timestamp = guest.now().epochMilliseconds + seconds * 1_000;
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  };
  const { backupCodes } = await confirmSecondFactor(as(person), { code: code(-30) });
  return { email, person, cookie, ctx: as(person), code, backupCodes };
}

const signInWith = (email: string, code: string) =>
  send(production, '/sign-in/email', { email, password, code });
const needed = { code: 'precondition', reason: 'full_reauthentication_required' };

test('asks for both factors before a way in changes, where two are set up', async () => {
  const { email, ctx, code, backupCodes } = await withFactor();
  const token = { name: 'Desk', scopes: ['appointments:read' as const], days: 30 };
  const server = { tries: countAttempts({ secret: 'x'.repeat(40), rateLimitFactor: 1 }) };
  const changes = [
    () => beginPasskey(ctx, appUrl),
    () => createApiToken(ctx, token),
    () => requestEmailChange(ctx, server, { email: `new.${email}` }),
  ];
  const expectRefused = async () => {
    for (const change of changes) await expect(change()).rejects.toMatchObject(needed);
  };
  await expectRefused();
  await reauthenticate(ctx, appUrl, { password });
  // One factor suffices for ending sessions and exports.
  await requireFresh(ctx);
  await expectRefused();
  await reauthenticate(ctx, appUrl, { code: code(0) });
  await expectRefused();
  await expect(reauthenticate(ctx, appUrl, { password: 'wrong', code: code(30) })).rejects.toMatchObject({
    reason: 'wrong_password',
  });
  await expect(reauthenticate(ctx, appUrl, { password, code: '000000' })).rejects.toMatchObject({
    reason: 'wrong_code',
  });
  await expectRefused();
  await reauthenticate(ctx, appUrl, { password, code: backupCodes[0]! });
  for (const change of changes) await change();
  const other = await actorOf(production, (await signInWith(email, backupCodes[1]!)).cookie);
  await expect(requireFullyFresh(as(other))).rejects.toMatchObject(needed);
  database.setNow(ctx.now().add({ minutes: 5 }).toString());
  await expectRefused();
});

test('counts a code once, even when it confirms twice at once', async () => {
  const { person, ctx, backupCodes } = await withFactor();
  const other = as(await freshSession(db, person));
  const [code] = backupCodes as [string];
  const answers = await Promise.allSettled(
    [ctx, other].map((by) => reauthenticate(by, appUrl, { password, code })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await entries('reauthenticated', person.id)).toHaveLength(1);
});

test('confirms nothing by a password that is replaced meanwhile', async () => {
  const { cookie } = await verified('replaced.meanwhile@italk.test');
  const person = (await actorOf(production, cookie)) as Person;
  const [ready, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const change = transact(as({ kind: 'system' }), async (tx) => {
    await setPassword(tx, person.id, await hashOf('another-quiet-room'), { exceptSession: person.sessionId });
    ready.resolve();
    await held.promise;
  });
  await ready.promise;
  const answer = reauthenticate(as(person), appUrl, { password });
  answer.catch(() => undefined);
  try {
    await expect.poll(() => blockedConnections(db), { timeout: 10_000 }).toBe(1);
  } finally {
    held.resolve();
    await change;
  }
  await expect(answer).rejects.toMatchObject({ reason: 'wrong_password' });
  await expect(requireFresh(as(person))).rejects.toMatchObject({ reason: 'reauthentication_required' });
});

test('ignores what was confirmed before the second factor', async () => {
  const { person, ctx } = await withFactor();
  const earlier = new Date(ctx.now().subtract({ minutes: 1 }).epochMilliseconds);
  const set = { reauthenticated_at: earlier, fully_reauthenticated_at: earlier };
  await db.updateTable('sessions').set(set).where('user_id', '=', person.id).execute();
  await requireFresh(ctx);
  await expect(requireFullyFresh(ctx)).rejects.toMatchObject(needed);
});

test('asks for both to change the password', async () => {
  const { cookie, code } = await withFactor();
  const newPassword = 'another-quiet-room';
  const change = (given: object) =>
    send(production, '/change-password', { password, newPassword, ...given }, { cookie });
  const refused = (field: string, reason: string) => ({ status: 400, body: { fields: [{ field, reason }] } });
  expect(await change({})).toMatchObject(refused('code', 'required'));
  expect(await change({ code: '000000' })).toMatchObject(refused('code', 'wrong_code'));
  expect(await change({ password: 'wrong', code: code(30) })).toMatchObject(
    refused('password', 'wrong_password'),
  );
  expect((await change({ code: code(30) })).status).toBe(200);
});
