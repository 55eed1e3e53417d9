import { newId } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { sql } from 'kysely';

/** Commits numbered rows, each with its notice, from `first` on, ten at a time, until it is killed. */
const [url, first] = process.argv.slice(2) as [string, string];
const { db } = connect(url, 10);
const ctx = { db, newId } as Ctx;
let next = Number(first);

const write = async (): Promise<never> => {
  for (;;) {
    const id = String(next++);
    await transact(ctx, async (tx) => {
      await sql`insert into committed (id) values (${id})`.execute(tx.db);
      await publish(tx, ['news'], { type: 'written', id });
    });
  }
};
await Promise.all(Array.from({ length: 10 }, write));
