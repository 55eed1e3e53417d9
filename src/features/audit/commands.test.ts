import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient } from '../../../tests/support/people.ts';
import { recordDone, recordView } from './commands.ts';
import { auditPersonal } from './personal.ts';

const { db, as, setNow } = await testDatabase();

const entriesOf = (actorId: string) =>
  db.selectFrom('audit_entries').selectAll().where('actor_id', '=', actorId).orderBy('id').execute();

test('erases only the network address, and leaves the entry unchanged', async () => {
  const person = await addClient(db);
  await transact(as(person), (tx) => recordDone(tx, { action: 'user_viewed' }));
  const before = await entriesOf(person.id);
  const places = () =>
    db.selectFrom('audit_personal').select('address').where('entry_id', '=', before[0]!.id).execute();
  expect(await places()).toEqual([{ address: '127.0.0.1' }]);
  await transact(as({ kind: 'job', name: 'personal.erase' }), (tx) => auditPersonal.erase(tx, person.id));
  expect(await places()).toEqual([]);
  expect(await entriesOf(person.id)).toEqual(before);
});

test('logs repeated views once, and again for another subject or session', async () => {
  const person = await addClient(db);
  const [one, other] = [newId(), newId()];
  const look = (id: string, sessionId = person.sessionId) =>
    recordView(as({ ...person, sessionId }), {
      action: 'user_viewed',
      subject: { kind: 'person', id },
    });
  setNow('2026-03-02T12:00:00Z');
  await Promise.all([look(one), look(one), look(one)]);
  expect(await entriesOf(person.id)).toMatchObject([
    { action: 'user_viewed', subject_id: one, success: true },
  ]);
  await look(other);
  await look(one, newId());
  expect(await entriesOf(person.id)).toHaveLength(3);
  setNow('2026-03-02T12:14:00Z');
  await look(one);
  expect(await entriesOf(person.id)).toHaveLength(3);
  setNow('2026-03-02T12:16:00Z');
  await look(one);
  expect(await entriesOf(person.id)).toHaveLength(4);
});
