import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reactions } from '#/app/reactions.ts';
import { openBackups } from '#/platform/backup/backups.ts';
import { restoreBackup } from '#/platform/backup/restore.ts';
import { copyOf, openClient, tablesOf } from '#/platform/backup/schema.ts';
import { keysOf } from '#/platform/keyring.ts';
import { copyOut } from '#/platform/db/copy.ts';
import { connect } from '#/platform/db/database.ts';
import { openEmbedded } from '#/platform/db/embedded.ts';
import { deleteEmbedded } from '#/platform/db/embedded/delete.ts';
import { openDisk } from '#/platform/files/disk.ts';
import { contents } from '../../tests/support/contents.ts';
import { addCrowd } from '../../tests/support/crowd.ts';
import { addClient, addProvider, sixtyMinutes } from '../../tests/support/people.ts';
import { startProduct } from '../product.ts';
import type { Figure } from './figure.ts';
import { bookingOf, cookiesOf, post } from './visitors.ts';

const clients = 10_000;
const sessionsEach = 10;
const hour = 3_600_000;
const secret = () => randomBytes(32).toString('base64url');

/**
 * Full recovery drill with 10,000 accounts and 100,000 appointments: backs up, deletes the data folder, restores
 * elsewhere, compares all tables, and books on the restored product.
 */
export async function benchBackups(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'italk-bench-'));
  const backupDir = await mkdtemp(join(tmpdir(), 'italk-bench-'));
  const [keys, authSecret] = [keysOf(`bench:${secret()}`), secret()];
  const env = {
    AUTH_SECRET: authSecret,
    ENCRYPTION_KEYS: `bench:${secret()}`,
    PRIVATE_NOTES_KEYS: `bench:${secret()}`,
    BACKUP_DIR: backupDir,
    LOG_LEVEL: 'error',
  };
  const clear = async (dataDir: string) => {
    await deleteEmbedded(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  };
  const product = await startProduct({ dataDir: folder, env });
  await product.stop();
  try {
    const old = await fillAndBackUp({ dataDir: folder, backupDir, keys, authSecret });
    await clear(folder);

    const embedded = await openEmbedded({ dataDir: folder });
    const began = performance.now();
    await restoreBackup({
      url: embedded.url,
      path: join(backupDir, old.fileName),
      keys,
      disk: openDisk(join(folder, 'files')),
      queues: reactions.map(({ name }) => name),
      say: () => undefined,
    });
    const restoreMs = performance.now() - began;
    const { db } = connect(embedded.url, 2);
    const after = await contents(db);
    await db.destroy();
    await embedded.stop();
    const different = Object.keys(old.contents).filter((table) => after[table] !== old.contents[table]);

    const again = await startProduct({ dataDir: folder, env });
    const booked = await post(new Agent(), `${again.url}/api/bookings`, old.cookie, old.booking).then(
      () => true,
      () => false,
    );
    await again.stop();
    const ratio = old.backupMs / old.copyMs;
    return [
      {
        name: 'backup of 10,000 accounts and 100,000 appointments',
        value: `${ratio.toFixed(1)} times bare COPY (${seconds(old.backupMs)} against ${seconds(old.copyMs)}, ${old.rows} rows; ${megabytes(old.bytes)} of ${megabytes(old.plainBytes)}; ${megabytes(old.grown)} more memory)`,
        aim: 'at most 6 times',
        met: ratio <= 6,
      },
      {
        name: 'restore of it',
        value: `${seconds(restoreMs)}, ${different.length === 0 ? 'every table as it was' : `${different.join(', ')} differ`}, ${booked ? 'a booking made' : 'no booking taken'}`,
        aim: 'all as it was, and in use',
        met: different.length === 0 && booked,
        must: true,
      },
    ];
  } finally {
    await clear(folder);
    await rm(backupDir, { recursive: true, force: true });
  }
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

async function fillAndBackUp(options: {
  dataDir: string;
  backupDir: string;
  keys: ReturnType<typeof keysOf>;
  authSecret: string;
}) {
  const { dataDir, backupDir, keys, authSecret } = options;
  const embedded = await openEmbedded({ dataDir });
  const { db } = connect(embedded.url, 2);
  try {
    await addCrowd(db, { clients, sessionsEach, providers: 100 });
    const week = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, from: '00:00', to: '24:00' }));
    const [client, provider] = [await addClient(db), await addProvider(db, { timeZone: 'UTC', week })];
    const [cookie] = await cookiesOf(db, [client], authSecret);
    const startsAt = new Date(Math.ceil((Date.now() + 72 * hour) / hour) * hour).toISOString();
    const serviceId = await sixtyMinutes(db);
    const booking = bookingOf({ providerId: provider.id, serviceId, startsAt, durationMinutes: 60 });
    const before = await contents(db);
    const plain = await copyAll(embedded.url);
    const backups = openBackups({
      url: embedded.url,
      disk: openDisk(join(dataDir, 'files')),
      folder: backupDir,
      keys,
    });
    const [memory, began] = [process.memoryUsage.rss(), performance.now()];
    let most = memory;
    const taken = await backups.alone((connection) =>
      backups.take(connection, {
        at: Temporal.Now.instant(),
        probes: {},
        onProgress: () => (most = Math.max(most, process.memoryUsage.rss())),
      }),
    );
    const backupMs = performance.now() - began;
    const { size } = await stat(join(backupDir, taken!.fileName));
    return {
      contents: before,
      booking,
      cookie: cookie!,
      fileName: taken!.fileName,
      rows: taken!.rows,
      bytes: size,
      grown: most - memory,
      backupMs,
      copyMs: plain.ms,
      plainBytes: plain.bytes,
    };
  } finally {
    await db.destroy();
    await embedded.stop();
  }
}

async function copyAll(url: string): Promise<{ ms: number; bytes: number }> {
  const client = await openClient(url);
  try {
    const began = performance.now();
    let bytes = 0;
    for (const table of await tablesOf(client))
      for await (const piece of copyOut(client, copyOf(table, 'to stdout'), () => undefined))
        bytes += piece.length;
    return { ms: performance.now() - began, bytes };
  } finally {
    await client.end();
  }
}
