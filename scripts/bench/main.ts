import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '#/platform/db/database.ts';
import { deleteEmbedded } from '#/platform/db/embedded/delete.ts';
import { newId } from '#/platform/clock.ts';
import { addClients, type Person } from '../../tests/support/people.ts';
import { startProduct, type Product } from '../product.ts';
import { benchBackups } from './backups.ts';
import { benchAdministration } from './administration.ts';
import { benchBookings } from './bookings.ts';
import { print, type Figure } from './figure.ts';
import { benchFinding } from './finding.ts';
import { benchFreeStarts } from './free-starts.ts';
import { benchMessages } from './messages.ts';
import { benchFreshPage, benchPage } from './page.ts';
import { benchNotices } from './notices.ts';
import { benchRaces } from './races.ts';
import { benchSignIns } from './sign-ins.ts';
import { cookiesOf } from './visitors.ts';
import { benchWeight } from './weight.ts';

/** Timeout of the whole run, in milliseconds. */
const longest = 12 * 60_000;
const clients = 20;

/** `npm run bench races landing` runs only those two; without arguments, everything runs. */
const named = process.argv.slice(2);

/** Rendered for every visit, because they show open times. */
const freshPaths = ['/therapists', '/therapists/dr-sarah-whitfield'];
const publicPaths = ['/services', '/resources', '/devotional/12-25', '/about', '/faq', '/contact'];
const privatePaths = [
  '/home',
  '/growth',
  ...['profile', 'settings', 'progress', 'sessions', 'resources', 'privacy'].map(
    (tab) => `/profile?tab=${tab}`,
  ),
];

const figures: Figure[] = [];
const running: Product[] = [];
const folders: string[] = [];

function wanted(
  name:
    | 'free-starts'
    | 'landing'
    | 'pages'
    | 'weight'
    | 'bookings'
    | 'notices'
    | 'sign-ins'
    | 'races'
    | 'messages'
    | 'finding'
    | 'backups'
    | 'administration',
): boolean {
  return named.length === 0 || named.includes(name);
}

function say(more: readonly Figure[]): void {
  figures.push(...more);
  print(more);
}

async function start(env: Record<string, string>, port?: number): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'italk-bench-'));
  folders.push(dataDir);
  const product = await startProduct({
    dataDir,
    env: { RATE_LIMIT_FACTOR: '1000000', DATABASE_POOL: '22', LOG_LEVEL: 'error', ...env },
    ...(port ? { port } : {}),
  });
  running.push(product);
  return product;
}

async function databaseOf(product: Product): Promise<string> {
  const [found] = await product.query<{ folder: string; port: string }>(
    `select current_setting('unix_socket_directories') as folder, current_setting('port') as port`,
  );
  return `postgresql://italk@localhost:${found!.port}/italk?host=${encodeURIComponent(found!.folder)}`;
}

/** With a time zone, as after the first visit: pages come with their data. */
async function demoClient(product: Product): Promise<Person[]> {
  const [found] = await product.query<{ id: string }>(
    `update profiles set time_zone = 'America/New_York' from users
     where users.id = profiles.id and email = 'client@italk.example' returning users.id`,
  );
  return [{ kind: 'person', id: found!.id, role: 'client', sessionId: newId() }];
}

async function run(): Promise<void> {
  if (wanted('free-starts')) say(await benchFreeStarts());
  const authSecret = randomBytes(32).toString('base64url');
  const encryptionKeys = `bench:${randomBytes(32).toString('base64url')}`;
  const keys = { AUTH_SECRET: authSecret, ENCRYPTION_KEYS: encryptionKeys };
  const product = await start(keys);
  const databaseUrl = await databaseOf(product);
  if (wanted('landing')) say(await benchPage('a guest’s landing page', `${product.url}/`));
  if (wanted('pages'))
    for (const path of publicPaths) say(await benchPage(`a guest’s ${path}`, `${product.url}${path}`, 3));
  if (wanted('pages'))
    for (const path of freshPaths) say(await benchFreshPage(`a guest’s ${path}`, `${product.url}${path}`));
  if (wanted('weight')) {
    const { db } = connect(databaseUrl, 2);
    const [cookie] = await cookiesOf(db, await demoClient(product), authSecret);
    await db.destroy();
    const looked = (path: string) => ({ name: path, url: `${product.url}${path}` });
    say(
      await benchWeight(
        [
          { ...looked('/'), name: 'the landing page' },
          ...freshPaths.map((path) => ({ ...looked(path), maxWanted: 140 })),
        ],
        [...publicPaths.map(looked), ...privatePaths.map((path) => ({ ...looked(path), cookie }))],
      ),
    );
  }
  if (wanted('bookings')) {
    const { db } = connect(databaseUrl, 2);
    const cookies = await cookiesOf(db, await addClients(db, clients * 2), authSecret);
    await db.destroy();
    say(await benchBookings({ url: product.url, cookies, databaseUrl }));
  }
  if (wanted('sign-ins')) say(await benchSignIns({ url: product.url, databaseUrl }));
  if (wanted('notices')) say(await benchNotices(databaseUrl));
  if (wanted('races')) {
    const second = await start({ ...keys, DATABASE_URL: databaseUrl });
    say(await benchRaces({ urls: [product.url, second.url], databaseUrl, authSecret }));
  }
  if (wanted('messages')) {
    const second = await start({ ...keys, DATABASE_URL: databaseUrl });
    const crash = async () => {
      await second.kill();
      await start({ ...keys, DATABASE_URL: databaseUrl }, Number(new URL(second.url).port));
    };
    const urls = [product.url, second.url] as const;
    await benchMessages({ urls, pid: product.pid, databaseUrl, authSecret, encryptionKeys, crash }, say);
  }
  if (wanted('backups')) say(await benchBackups());
  if (wanted('administration')) {
    const own = await start(keys);
    say(await benchAdministration({ url: own.url, databaseUrl: await databaseOf(own), authSecret }));
  }
  // Runs last: it leaves thousands of specialists behind.
  if (wanted('finding')) say(await benchFinding({ url: product.url, databaseUrl }));
}

async function clear(): Promise<void> {
  for (const product of running.splice(0).toReversed()) await product.stop();
  for (const folder of folders.splice(0)) {
    // When run as root, the database is in a separate folder; delete it first.
    await deleteEmbedded(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

async function end(error?: unknown): Promise<void> {
  if (error) console.error(error instanceof Error ? error.message : error);
  try {
    await clear();
  } catch (failure) {
    console.error(failure);
  }
  const defects = figures.filter(({ met, must }) => must && !met).length;
  const missed = figures.filter(({ met }) => !met).length;
  console.log(`${figures.length} figures, ${missed} missed`);
  process.exit(error || defects > 0 ? 1 : 0);
}

setTimeout(() => void end(new Error('The bench took too long, and was stopped.')), longest).unref();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void end(new Error('The bench was stopped.')));

try {
  await run();
  await end();
} catch (error) {
  await end(error);
}
