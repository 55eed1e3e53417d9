import { sql } from 'kysely';
import type { TxCtx } from '../context.ts';
import { payloadsOf, type Notice, type RealtimeMessage } from './notices.ts';

export const channel = 'realtime';

export const pagesChannel = 'pages';

/** Sends a message to the topics' subscribers in every process, on commit. */
export async function publish(tx: TxCtx, topics: string[], message: RealtimeMessage): Promise<void> {
  await send(tx, { topics, message });
}

/** Closes all sockets subscribed to a topic, in every process, on commit. */
export async function closeSockets(tx: TxCtx, topic: string): Promise<void> {
  await send(tx, { topics: [topic], message: null });
}

async function send(tx: TxCtx, notice: Notice): Promise<void> {
  for (const payload of payloadsOf(notice, tx.newId))
    await sql`select pg_notify(${channel}, ${payload})`.execute(tx.db);
}

/** Clears the page cache of every process on commit. Call after changing anything guests can see. */
export async function forgetPages(tx: TxCtx): Promise<void> {
  await sql`select pg_notify(${pagesChannel}, '')`.execute(tx.db);
}
