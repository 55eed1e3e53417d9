import { expect, test } from 'vitest';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient } from '../../../tests/support/people.ts';
import { recordDone } from './commands.ts';
import { auditPersonal } from './personal.ts';

const { db, as } = await testDatabase();

test('an entry can neither be changed nor deleted; an erasure takes its network address alone', async () => {
  const person = await addClient(db);
  const entries = () =>
    db.selectFrom('audit_entries').selectAll().where('actor_id', '=', person.id).execute();
  await transact(as(person), (tx) => recordDone(tx, { action: 'looked', category: 'security' }));
  const [before] = await entries();
  for (const change of [{ action: 'slept' }, { address: '10.0.0.1' }, { address: null, success: false }]) {
    const attempt = db.updateTable('audit_entries').set(change).where('actor_id', '=', person.id).execute();
    await expect(attempt).rejects.toThrow('append-only');
  }
  const removal = db.deleteFrom('audit_entries').where('actor_id', '=', person.id).execute();
  await expect(removal).rejects.toThrow('append-only');
  expect(await entries()).toEqual([before]);

  await transact(as({ kind: 'job', name: 'personal.erase' }), (tx) => auditPersonal.erase(tx, person.id));
  expect(await entries()).toEqual([{ ...before, address: null }]);
  expect(before!.address).toBe('127.0.0.1');
});
