import pg from 'pg';
import { noticeReader } from '#/platform/realtime/notices.ts';

/** Hears on a line of its own what the server tells screens. */
export async function screensOf(url: string) {
  const listener = new pg.Client({ connectionString: url });
  const read = noticeReader();
  let heard: ReturnType<typeof read> = [];
  await listener.connect();
  listener.on('notification', ({ payload }) => heard.push(...read(payload ?? '')));
  await listener.query('listen realtime');
  // What was committed before a question has been heard by its answer.
  const settled = () => listener.query('select 1');
  return {
    close: () => listener.end(),

    /** Forgets what was told until now. */
    async clear(): Promise<void> {
      await settled();
      heard = [];
    },

    /** What was told since then, and to whom: `self` is who acts, `other` anybody else; `closed`: their sockets are. */
    async told(by: string | undefined): Promise<string[]> {
      await settled();
      const lines = heard.map(({ topics, message }) => {
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
