import pg from 'pg';
import { noticeReader } from '#/platform/realtime/notices.ts';
import { allReceived } from './outbox.ts';

/** Listens for the server's screen updates on a separate connection. */
export async function screensOf(url: string) {
  const listener = new pg.Client({ connectionString: url });
  const read = noticeReader();
  let received: ReturnType<typeof read> = [];
  await listener.connect();
  listener.on('notification', ({ payload }) => received.push(...read(payload ?? '')));
  await listener.query('listen realtime');
  const settled = () => allReceived(listener);
  return {
    close: () => listener.end(),

    async clear(): Promise<void> {
      await settled();
      received = [];
    },

    /**
     * Updates since the last `clear`, with recipients: `self` is the actor, `other` anyone else; `closed` means their
     * sockets close.
     */
    async updates(by: string | undefined): Promise<string[]> {
      await settled();
      const lines = received.map(({ topics, message }) => {
        const whom = topics.map((topic) => {
          if (topic.startsWith('person:')) return topic === `person:${by}` ? 'self' : 'other';
          return topic.startsWith('session:') ? 'session' : topic;
        });
        return [message?.type ?? 'closed', ...new Set(whom.toSorted())].join(' ');
      });
      return [...new Set(lines)].toSorted();
    },
  };
}
