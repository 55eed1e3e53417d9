import type { TxCtx } from '../context.ts';
import { notify, notifyAtOnce } from '../db/outbox.ts';
import { payloadsOf, type Notice, type RealtimeMessage } from './notices.ts';

export const channel = 'realtime';

export const pagesChannel = 'pages';

/** Sends a message to the topics' subscribers in every process, soon after the commit. */
export async function publish(tx: TxCtx, topics: string[], message: RealtimeMessage): Promise<void> {
  await send(tx, { topics, message });
}

/** Closes all sockets subscribed to a topic, in every process, soon after the commit. */
export async function closeSockets(tx: TxCtx, topic: string): Promise<void> {
  await send(tx, { topics: [topic], message: null });
}

async function send(tx: TxCtx, notice: Notice): Promise<void> {
  await notify(tx, channel, payloadsOf(notice, tx.newId));
}

/** Clears the page cache of every process, so that editors see their change. Call after changing anything guests can see. */
export async function clearPageCache(tx: TxCtx): Promise<void> {
  await notifyAtOnce(tx, pagesChannel, ['']);
}
