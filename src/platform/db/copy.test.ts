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

/** COPY statement with rows of `bytes` bytes, line breaks included. */
const rowsOf = (rows: number, bytes: number) =>
  `copy (select repeat('x', ${bytes - 1}) from generate_series(1, ${rows})) to stdout`;

it('leaves the connection usable, even when the last row fills a chunk', async () => {
  const client = await connected();
  // The end-of-data message arrives with the last row or separately; these sizes cover both.
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

it('handles unfinished reads and failures', async () => {
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
