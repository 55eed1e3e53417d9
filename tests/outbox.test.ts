import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sendOutbox } from '#/platform/db/outbox.ts';
import { openLog } from '#/platform/log.ts';
import { openListenConnection } from '#/platform/realtime/listen-connection.ts';
import { noticeReader } from '#/platform/realtime/notices.ts';
import { channel } from '#/platform/realtime/publish.ts';
import { testDatabase } from './support/database.ts';
import { proving } from './support/prove.ts';

const { db, url } = await testDatabase();
const wanted = proving ? 20_000 : 400;
const rounds = proving ? 40 : 3;
const writers = 2;

test('loses no notice over cut connections and killed processes', { tags: ['long'] }, async () => {
  await sql`create table committed (id bigint primary key)`.execute(db);
  const seen = new Set<string>();
  const read = noticeReader();
  const committed = async () =>
    (await sql<{ id: string }>`select id::text from committed`.execute(db)).rows.map(({ id }) => id);
  // As browsers do after their process reconnected: they look again.
  const lookAgain = async () => {
    for (const id of await committed()) seen.add(id);
  };
  const looks: Promise<void>[] = [];
  const listener = await openListenConnection(url, openLog('silent'), () => void looks.push(lookAgain()));
  await listener.listen(channel, (payload) => {
    for (const { message } of read(payload)) seen.add(message!.id);
  });

  let alive: ChildProcess[] = [];
  let kills = 0;
  for (let round = 0; round < rounds || (await committed()).length < wanted; round++) {
    alive = Array.from({ length: writers }, (_, writer) =>
      spawn(process.execPath, [
        fileURLToPath(new URL('./support/outbox-writer.ts', import.meta.url)),
        url,
        String((round * writers + writer) * 1_000_000),
      ]),
    );
    const before = (await committed()).length;
    const enough = before + wanted / rounds;
    await expect.poll(async () => (await committed()).length, { interval: 20 }).toBeGreaterThan(enough);
    if (round % 2 === 1) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ilike 'listen%'`.execute(db);
    }
    const ended = alive.map((one) => once(one, 'exit'));
    for (const one of alive) one.kill('SIGKILL');
    kills += alive.length;
    await Promise.all(ended);
  }

  // A living process sends what the killed ones couldn't.
  await expect
    .poll(async () => {
      await sendOutbox(db);
      await Promise.all(looks);
      return (await committed()).filter((id) => !seen.has(id));
    })
    .toEqual([]);
  expect((await committed()).length).toBeGreaterThanOrEqual(wanted);
  expect(kills).toBeGreaterThanOrEqual(rounds * writers);
  await listener.close();
});
