import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { compiledOnce } from './compiled-once.ts';
import { transact } from './transact.ts';

const { as, db } = await testDatabase();

test('builds a statement once and runs it with each call’s values', async () => {
  let built = 0;
  const read = compiledOnce((through, { a, b }: { a: string; b: string }) => {
    built++;
    return through.selectNoFrom([sql`${a}::text`.as('a'), sql`${b} || ${a} || ${'!'}`.as('all')]);
  });
  expect(await read(db, { a: 'x', b: 'y' })).toEqual([{ a: 'x', all: 'yx!' }]);
  const inside = await transact(as({ kind: 'system' }), (tx) => read(tx.db, { a: 'p', b: 'q' }));
  expect(inside).toEqual([{ a: 'p', all: 'qp!' }]);
  expect(built).toBe(1);
});

test('builds a statement once for each number of rows', async () => {
  let built = 0;
  const at = new Date('2026-03-10T14:00:00Z');
  const insert = compiledOnce((through, { rows }: { rows: readonly { key: string; hits: number }[] }) => {
    built++;
    return through
      .insertInto('rate_limits')
      .values(rows.map((row) => ({ ...row, window_start: at })))
      .returning(['key', 'hits']);
  });
  for (const keys of [['one'], ['two', 'three'], ['four'], ['five', 'six']]) {
    const rows = keys.map((key) => ({ key, hits: key.length }));
    expect(await insert(db, { rows })).toEqual(rows);
  }
  expect(built).toBe(2);
});

test('gives each value its name, in whatever order callers list them', async () => {
  const read = compiledOnce((through, { a, b }: { a: string; b?: string }) =>
    through.selectNoFrom([sql`${a}::text`.as('a'), sql`${b ?? 'none'}::text`.as('b')]),
  );
  expect(await read(db, { a: 'x', b: 'y' })).toEqual([{ a: 'x', b: 'y' }]);
  expect(await read(db, { b: 'y', a: 'x' })).toEqual([{ a: 'x', b: 'y' }]);
  expect(await read(db, { a: 'x' })).toEqual([{ a: 'x', b: 'none' }]);
  expect(await read(db, { b: undefined, a: 'x' })).toEqual([{ a: 'x', b: 'none' }]);
});

test('refuses an object as a value, which would become its places', async () => {
  const read = compiledOnce((through, { a }: { a: object }) =>
    through.selectNoFrom(sql`${a}::jsonb`.as('a')),
  );
  await expect(read(db, { a: { b: 1 } })).rejects.toThrow('JSON');
});

test('refuses to compute with a value, which would stay the first call’s', async () => {
  const read = compiledOnce((through, { at }: { at: number }) =>
    through.selectNoFrom(sql<Date>`${new Date(at)}`.as('at')),
  );
  await expect(read(db, { at: 1 })).rejects.toThrow('compute');
});
