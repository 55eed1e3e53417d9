import type pg from 'pg';
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
