import { sql } from 'kysely';
import pg from 'pg';
import { newId } from '#/platform/clock.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import { transact } from '#/platform/db/transact.ts';
import { channel, publish } from '#/platform/realtime/publish.ts';
import { median, type Figure } from './figure.ts';

/** Writing processes, with a pool each. */
const writers = 4;
const connectionsEach = 5;
const listeners = 20;
const rounds = 7;
const commitsARound = 1_500;

/** Compares commits that notify every process of a change with commits that don't. */
export async function benchNotices(databaseUrl: string): Promise<Figure[]> {
  const pools = Array.from({ length: writers }, () => connect(databaseUrl, connectionsEach).db);
  const clients = await Promise.all(
    Array.from({ length: listeners }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      await client.query(`listen ${channel}`);
      return client;
    }),
  );
  await sql`create table bench_commits (id uuid primary key)`.execute(pools[0]!);

  const commit = (db: Ctx['db'], tell: (tx: TxCtx) => Promise<unknown>) =>
    transact({ db, newId } as Ctx, (tx) =>
      Promise.all([sql`insert into bench_commits values (${newId()})`.execute(tx.db), tell(tx)]),
    );
  async function perSecond(tell: (tx: TxCtx) => Promise<unknown>): Promise<number> {
    let left = commitsARound;
    const began = performance.now();
    const work = async (db: Ctx['db']) => {
      while (left-- > 0) await commit(db, tell);
    };
    await Promise.all(pools.flatMap((db) => Array.from({ length: connectionsEach }, () => work(db))));
    return (commitsARound * 1_000) / (performance.now() - began);
  }
  const change = () => ({ type: 'booking.changed', id: newId() });
  const nobody = () => Promise.resolve();
  const everyone = (tx: TxCtx) => publish(tx, [`person:${newId()}`], change());
  const withinCommit = (tx: TxCtx) =>
    sql`select pg_notify(${channel}, ${JSON.stringify({ topics: [newId()], message: change() })})`.execute(
      tx.db,
    );

  try {
    const ratios: number[] = [];
    const speeds: [number, number, number][] = [];
    await perSecond(everyone);
    for (let round = 0; round < rounds; round++) {
      const silent = await perSecond(nobody);
      const told = await perSecond(everyone);
      ratios.push(told / silent);
      speeds.push([silent, told, await perSecond(withinCommit)]);
    }
    const [silent, told, within] = [0, 1, 2].map((kind) =>
      Math.round(median(speeds.map((one) => one[kind]!))),
    );
    const ratio = median(ratios);
    return [
      {
        name: `commits that notify ${listeners} listening processes`,
        value: `${ratio.toFixed(2)} of silent ones (${told} against ${silent} a second; ${within} notify by themselves)`,
        aim: 'at least 0.8',
        met: ratio >= 0.8,
      },
    ];
  } finally {
    await sql`drop table bench_commits`.execute(pools[0]!);
    await Promise.all([...clients.map((client) => client.end()), ...pools.map((db) => db.destroy())]);
  }
}
