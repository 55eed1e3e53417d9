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
const rounds = proving ? 20 : 3;
const writers = 4;

test(
  'loses and doubles no notice over cut connections and killed processes',
  { tags: ['long'] },
  async () => {
    await sql`create table committed (id bigint primary key)`.execute(db);
    const committed = async () =>
      (await sql<{ id: string }>`select id::text from committed`.execute(db)).rows.map(({ id }) => id);
    /** Opens a listener and returns what it received, how often. */
    async function listen(name: string, back: (seen: Map<string, number>) => void) {
      const seen = new Map<string, number>();
      const read = noticeReader();
      const address = `${url}${url.includes('?') ? '&' : '?'}application_name=${name}`;
      const listener = await openListenConnection(address, openLog('silent'), () => back(seen));
      await listener.listen(channel, (payload) => {
        for (const { message } of read(payload)) seen.set(message!.id, (seen.get(message!.id) ?? 0) + 1);
      });
      return { listener, seen };
    }
    const steady = await listen('steady', () => expect.fail('the steady connection was cut'));
    // As browsers do after their process reconnected: they look again.
    const looks: Promise<void>[] = [];
    const cut = await listen('cut', (seen) => {
      looks.push(committed().then((ids) => ids.forEach((id) => seen.set(id, 1))));
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
      // The last round cuts nothing, since looking again would hide what was lost before.
      if (round % 2 === 1 && round < rounds - 1) {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'cut'`.execute(db);
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
        const ids = await committed();
        return [steady, cut].map(({ seen }) => ids.filter((id) => !seen.has(id)));
      })
      .toEqual([[], []]);
    const ids = await committed();
    expect(ids.length).toBeGreaterThanOrEqual(wanted);
    expect(steady.seen).toEqual(new Map(ids.map((id) => [id, 1])));
    expect(looks.length).toBeGreaterThan(0);
    expect(kills).toBeGreaterThanOrEqual(rounds * writers);
    await Promise.all([steady, cut].map(({ listener }) => listener.close()));
  },
);
