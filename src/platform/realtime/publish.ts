import { sql } from 'kysely';
import type { TxCtx } from '../context.ts';

/** The channel between server processes. */
export const channel = 'realtime';

/** The channel on which processes tell each other to forget their cached pages. */
export const pagesChannel = 'pages';

/**
 * What travels to browsers: that something changed, and its id; they fetch it themselves. `data` goes with what is
 * nowhere stored, such as who is typing.
 */
export interface RealtimeMessage {
  type: string;
  id: string;
  data?: unknown;
}

/** What travels between processes. */
export interface Notice {
  topics: string[];
  /** Null: the sockets are closed, since who opened them is signed in no more. */
  message: RealtimeMessage | null;
}

/** Tells everyone who was granted one of the topics, in every process, once the transaction commits. */
export async function publish(tx: TxCtx, topics: string[], message: RealtimeMessage): Promise<void> {
  await send(tx, { topics, message });
}

/** Closes every socket that was granted the topic, in every process, once the transaction commits. */
export async function closeSockets(tx: TxCtx, topic: string): Promise<void> {
  await send(tx, { topics: [topic], message: null });
}

async function send(tx: TxCtx, notice: Notice): Promise<void> {
  await sql`select pg_notify(${channel}, ${JSON.stringify(notice)})`.execute(tx.db);
}

/** Lets every process forget its cached pages once the transaction commits; for whoever changes what guests see. */
export async function forgetPages(tx: TxCtx): Promise<void> {
  await sql`select pg_notify(${pagesChannel}, '')`.execute(tx.db);
}
