import { expect, test } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import { suspendedMeanwhile } from '../../../../tests/support/locks.ts';
import { transact } from '#/platform/db/transact.ts';
import { newId } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import { hashPassword } from '#/platform/password-hash.ts';
import { createAccount, setPassword } from '../commands.ts';
import { requestDeletion } from '../deletion/commands.ts';
import { removeSecondFactor } from '../second-factor/commands.ts';
import { requirePassword } from './commands.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z', poolSize: 4 });
const { hash } = await hashPassword('a-quiet-room-42');

async function person(email: string) {
  const system = database.as({ kind: 'system' });
  const id = await createAccount(system, { email, name: 'Ruth Amsel', role: 'client', emailVerified: true });
  await transact(system, (tx) => setPassword(tx, id, hash));
  return database.as({ kind: 'person', id, role: 'client', sessionId: id });
}

test('accepts the right password, and reports a wrong one at its field and audits it', async () => {
  const ruth = await person('ruth@italk.test');
  await requirePassword(ruth, 'a-quiet-room-42');
  await expect(requirePassword(ruth, 'a-quiet-room-43')).rejects.toMatchObject({
    code: 'invalid',
    reason: 'wrong_password',
    fields: [{ field: 'password', reason: 'wrong_password' }],
  });
  const noted = await database.db
    .selectFrom('audit_entries')
    .select(['success', 'details'])
    .where('action', '=', 'password_confirmed')
    .orderBy('id')
    .execute();
  expect(noted).toEqual([{ success: false, details: { reason: 'wrong_password' } }]);
});

test('locks one account for fifteen minutes after ten wrong attempts, even in parallel', async () => {
  const ruth = await person('ruth2@italk.test');
  const tries = await Promise.allSettled(
    Array.from({ length: 14 }, () => requirePassword(ruth, 'a-wrong-password')),
  );
  const reasons = tries.map((one) => (one as PromiseRejectedResult).reason as { reason: string });
  expect(reasons.filter(({ reason }) => reason === 'wrong_password')).toHaveLength(10);
  expect(reasons.filter(({ reason }) => reason === 'too_many_tries')).toHaveLength(4);
  await expect(requirePassword(ruth, 'a-quiet-room-42')).rejects.toMatchObject({ code: 'rate_limited' });
  await requirePassword(await person('other@italk.test'), 'a-quiet-room-42');
  database.setNow('2026-03-02T12:15:01Z');
  await requirePassword(ruth, 'a-quiet-room-42');
});

test('rejects guests and calls inside a transaction', async () => {
  await expect(requirePassword(database.as({ kind: 'guest' }), 'x')).rejects.toMatchObject({
    code: 'unauthenticated',
  });
  const ruth = await person('ruth3@italk.test');
  await expect(transact(ruth, (tx) => requirePassword(tx, 'x'))).rejects.toThrow('before the transaction');
});

test.each([
  ['deletion', (ctx: Ctx, password: string) => requestDeletion(ctx, [], { password })],
  [
    'removal of a second factor',
    (ctx: Ctx, password: string) => removeSecondFactor(ctx, { password, code: '1' }),
  ],
])('refuses a %s once the account was suspended meanwhile', async (_, request) => {
  const ruth = await person(`${newId()}@italk.test`);
  await expect(suspendedMeanwhile(ruth, () => request(ruth, 'a-quiet-room-42'))).rejects.toMatchObject({
    code: 'unauthenticated',
    reason: 'sign_in_required',
  });
});
