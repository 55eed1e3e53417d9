import { sql } from 'kysely';
import type { TxCtx } from '../context.ts';
import { payloadsOf, type Notice, type RealtimeMessage } from './notices.ts';

/** The channel between server processes. */
export const channel = 'realtime';

/** The channel on which processes tell each other to forget their cached pages. */
export const pagesChannel = 'pages';

/** Tells everyone who was granted one of the topics, in every process, once the transaction commits. */
export async function publish(tx: TxCtx, topics: string[], message: RealtimeMessage): Promise<void> {
  await send(tx, { topics, message });
}

/** Closes every socket that was granted the topic, in every process, once the transaction commits. */
export async function closeSockets(tx: TxCtx, topic: string): Promise<void> {
  await send(tx, { topics: [topic], message: null });
}

async function send(tx: TxCtx, notice: Notice): Promise<void> {
  for (const payload of payloadsOf(notice, tx.newId))
    await sql`select pg_notify(${channel}, ${payload})`.execute(tx.db);
}

/** Lets every process forget its cached pages once the transaction commits; for whoever changes what guests see. */
export async function forgetPages(tx: TxCtx): Promise<void> {
  await sql`select pg_notify(${pagesChannel}, '')`.execute(tx.db);
}
