import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { copyOut } from './copy.ts';

const { url } = await testDatabase();

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A row of so many bytes, line break and all. */
const rowsOf = (rows: number, bytes: number) =>
  `copy (select repeat('x', ${bytes - 1}) from generate_series(1, ${rows})) to stdout`;

it('leaves the connection to other statements, also where the last row fills a piece', async () => {
  const client = await connected();
  // What says that there are no more rows comes with the last of them, or after it: either is met among so many.
  for (const [rows, bytes] of [
    [1, 64 * 1024],
    [1, 70_000],
    [8, 8 * 1024],
    [64, 1024],
    [3, 64 * 1024],
  ] as const) {
    for (let round = 0; round < 20; round++) {
      let seen = 0;
      let read = 0;
      for await (const piece of copyOut(client, rowsOf(rows, bytes), (row) => (seen += row.length)))
        read += piece.length;
      expect({ seen, read }).toEqual({ seen: rows * bytes, read: rows * bytes });
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    }
  }
});

it('lets by what nobody reads to the end, and what fails', async () => {
  const client = await connected();
  for await (const piece of copyOut(client, rowsOf(2_000, 1024), () => undefined)) {
    expect(piece.length).toBeGreaterThanOrEqual(64 * 1024);
    break;
  }
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  const failing = copyOut(client, 'copy (select 1 / 0) to stdout', () => undefined);
  await expect(failing.next()).rejects.toThrow('division by zero');
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});
