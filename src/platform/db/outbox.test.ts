import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { allReceived } from '../../../tests/support/outbox.ts';
import { connect } from './database.ts';
import { notify, sendOutbox } from './outbox.ts';
import { transact } from './transact.ts';

const { as, db, url } = await testDatabase();
const ctx = as({ kind: 'system' });
const listener = new pg.Client({ connectionString: url });
const received: string[] = [];

beforeAll(async () => {
  await listener.connect();
  listener.on('notification', ({ payload }) => received.push(payload ?? ''));
  await listener.query('listen news');
});
afterAll(() => listener.end());
beforeEach(() => (received.length = 0));

test('notifies after the commit, in order, and never of what was rolled back', async () => {
  await transact(ctx, async (tx) => {
    await notify(tx, 'news', ['one']);
    await Promise.all([notify(tx, 'news', ['two']), notify(tx, 'news', ['three', 'four'])]);
    await sendOutbox(db);
    await allReceived(listener);
    expect(received).toEqual([]);
  });
  const failed = transact(ctx, async (tx) => {
    await notify(tx, 'news', ['never']);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  await transact(ctx, (tx) => notify(tx, 'news', ['last']));
  await allReceived(listener);
  expect(received).toEqual(['one', 'two', 'three', 'four', 'last']);
});

test('sends each notice of an ended process once, whoever sends it', async () => {
  const numbers = Array.from({ length: 1_200 }, (_, index) => String(index));
  await db
    .insertInto('outbox')
    .values(numbers.map((payload) => ({ channel: 'news', payload })))
    .execute();
  const { db: other } = connect(url, 2);
  try {
    await Promise.all([sendOutbox(db), sendOutbox(other), sendOutbox(db), sendOutbox(other)]);
    await allReceived(listener);
  } finally {
    await other.destroy();
  }
  expect(received.toSorted()).toEqual(numbers.toSorted());
});

test('commits even if nobody can send, and leaves the notice to the schedule', async () => {
  const { db: cut } = connect(url, 1);
  await transact({ ...ctx, db: cut }, async (tx) => {
    await notify(tx, 'news', ['later']);
    void cut.destroy();
  });
  await sendOutbox(db);
  await allReceived(listener);
  expect(received).toEqual(['later']);
});
