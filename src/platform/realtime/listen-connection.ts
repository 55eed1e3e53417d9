import pg from 'pg';
import { connectionTimeoutMillis } from '../db/database.ts';
import type { Log } from '../log.ts';

/** A process's PostgreSQL LISTEN/NOTIFY connection. */
export interface ListenConnection {
  listen(channel: string, onPayload: (payload: string) => void): Promise<void>;
  /** Sends payloads in order to all listening processes, including this one. Throws while disconnected. */
  notify(channel: string, payloads: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the connection and reconnects as needed. `back` runs after each reconnect: notices sent meanwhile were missed.
 */
export async function openListenConnection(
  databaseUrl: string,
  log: Log,
  back: () => void,
): Promise<ListenConnection> {
  const listeners = new Map<string, (payload: string) => void>();
  const life = { closed: false, reconnecting: false };
  let line: pg.Client | null = null;
  line = await connect();

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis,
      keepAlive: true,
      // Otherwise, silently dropped connections go unnoticed for hours.
      keepAliveInitialDelayMillis: 10_000,
    });
    client.on('notification', ({ channel, payload }) => listeners.get(channel)?.(payload ?? ''));
    // Ignores connections that never opened or were replaced.
    const lost = () => {
      if (line === client) void reconnect();
    };
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
    for (const channel of listeners.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    return client;
  }

  async function reconnect(): Promise<void> {
    if (life.closed || life.reconnecting) return;
    life.reconnecting = true;
    line = null;
    for (let wait = 200; !life.closed && !line; wait = Math.min(wait * 2, 5_000)) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      try {
        line = await connect();
        back();
      } catch (error) {
        log.warn({ err: error }, 'realtime: the database is unreachable');
      }
    }
    life.reconnecting = false;
    // Closed while reconnecting: nothing else would end it.
    if (life.closed) await line?.end();
  }

  return {
    async listen(channel, onPayload) {
      listeners.set(channel, onPayload);
      await line?.query(`listen ${pg.escapeIdentifier(channel)}`);
    },
    async notify(channel, payloads) {
      if (!line) throw new Error('connection lost');
      await line.query(
        'select pg_notify($1, payload) from unnest($2::text[]) with ordinality as told (payload, place) order by place',
        [channel, payloads],
      );
    },
    async close() {
      life.closed = true;
      await line?.end();
    },
  };
}
