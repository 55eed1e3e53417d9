import pg from 'pg';
import { expect } from 'vitest';

/** Waits until a listening connection has received the notices of all earlier transactions. */
export async function allReceived(listener: pg.Client): Promise<void> {
  await expect
    .poll(async () => (await listener.query('select from outbox')).rowCount, { interval: 5 })
    .toBe(0);
  // Notices arrive in order, its own included.
  await listener.query('notify outbox_sent');
  await listener.query('select 1');
}

/** Notices of the channels sent while `work` runs. Equal ones of the same batch arrive once. */
export async function noticesDuring(
  url: string,
  channels: readonly string[],
  work: () => Promise<unknown>,
): Promise<{ channel: string; payload: string }[]> {
  const listener = new pg.Client({ connectionString: url });
  await listener.connect();
  try {
    await allReceived(listener);
    const notices: { channel: string; payload: string }[] = [];
    listener.on('notification', ({ channel, payload = '' }) => notices.push({ channel, payload }));
    for (const channel of channels) await listener.query(`listen ${channel}`);
    await work();
    await allReceived(listener);
    return notices.filter(({ channel }) => channels.includes(channel));
  } finally {
    await listener.end();
  }
}
