import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Database } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import { deleteEmbedded } from '#/platform/db/embedded/delete.ts';
import { newId } from '#/platform/clock.ts';
import { addClients, type Person } from '../../tests/support/people.ts';
import { startProduct, type Product } from '../product.ts';
import { benchBackups } from './backups.ts';
import { benchAdministration } from './administration.ts';
import { benchBookings } from './bookings.ts';
import { benchClone, benchStarts } from './starts.ts';
import { print, type Figure } from './figure.ts';
import { benchFinding } from './finding.ts';
import { benchFreeStarts } from './free-starts.ts';
import { benchMessages } from './messages.ts';
import { benchFreshPage, benchPage } from './page.ts';
import { benchNotices } from './notices.ts';
import { benchRaces } from './races.ts';
import { benchScale } from './scale.ts';
import { benchSignIns } from './sign-ins.ts';
import { cookiesOf } from './visitors.ts';
import { benchBlocking, benchLighthouse } from './lighthouse.ts';
import { benchWeight } from './weight.ts';

/** Takes half an hour and 12 GB, so it runs only when named. */
const slow = 'scale';

/** `npm run bench races landing` runs only those two; without arguments, everything else than `slow` runs. */
const named = process.argv.slice(2);

/** Timeout of the whole run, in milliseconds. */
const longest = (named.includes(slow) ? 90 : 25) * 60_000;
const clients = 20;
/** Processes that people race over. */
const racers = 4;

/** Rendered for every visit, because they show open times. */
const freshPaths = ['/therapists', '/therapists/dr-sarah-whitfield'];
const publicPaths = ['/services', '/resources', '/devotional/12-25', '/about', '/faq', '/contact'];
const privatePaths = [
  '/growth',
  ...['profile', 'settings', 'progress', 'sessions', 'resources', 'privacy'].map(
    (tab) => `/profile?tab=${tab}`,
  ),
];

const figures: Figure[] = [];
const running: Product[] = [];
const folders: string[] = [];

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

/** A demo account with a time zone, as after the first visit: pages come with their data. */
async function demoAccount(product: Product, name: string, role: Actor): Promise<Person> {
  const [found] = await product.query<{ id: string }>(
    `update profiles set time_zone = 'America/New_York' from users
     where users.id = profiles.id and email = $1 returning users.id`,
    [`${name}@italk.example`],
  );
  return { kind: 'person', id: found!.id, role, sessionId: newId() };
}

type Actor = Person['role'];

interface Main {
  product: Product;
  databaseUrl: string;
  authSecret: string;
  encryptionKeys: string;
  keys: Record<string, string>;
  cookies(people: (db: Kysely<Database>) => Promise<Person[]>): Promise<string[]>;
}

/** The product that most benches share. */
async function startMain(): Promise<Main> {
  const authSecret = randomBytes(32).toString('base64url');
  const encryptionKeys = `bench:${randomBytes(32).toString('base64url')}`;
  const keys = { AUTH_SECRET: authSecret, ENCRYPTION_KEYS: encryptionKeys };
  const product = await start(keys);
  const databaseUrl = await databaseOf(product);
  return {
    product,
    databaseUrl,
    authSecret,
    encryptionKeys,
    keys,
    async cookies(people) {
      const { db } = connect(databaseUrl, 2);
      try {
        return await cookiesOf(db, await people(db), authSecret);
      } finally {
        await db.destroy();
      }
    },
  };
}

/** Pages by address, and the homes of a client, a doctor and an administrator. */
async function lookedPages({ product, cookies }: Main) {
  const roles = ['client', 'doctor', 'admin'] as const;
  const [client, doctor, admin] = await cookies(() =>
    Promise.all([
      demoAccount(product, 'client', 'client'),
      demoAccount(product, 'doctor', 'doctor'),
      demoAccount(product, 'admin', 'super_admin'),
    ]),
  );
  const guest = (path: string) => ({ name: path, url: `${product.url}${path}` });
  const signedIn = (path: string) => ({ ...guest(path), cookie: client! });
  const homes = roles.map((role, index) => ({
    ...guest('/home'),
    name: `the home of a ${role}`,
    cookie: [client, doctor, admin][index]!,
  }));
  return { guest, signedIn, homes, landing: { ...guest('/'), name: 'the landing page' } };
}

const benches: Record<string, (main: () => Promise<Main>) => Promise<readonly Figure[]>> = {
  'free-starts': () => benchFreeStarts(),
  starts: () => benchStarts(),
  clone: () => benchClone(),
  landing: async (main) => benchPage('a guest’s landing page', `${(await main()).product.url}/`),
  pages: async (main) => {
    const { url } = (await main()).product;
    const found: Figure[] = [];
    for (const path of publicPaths) found.push(...(await benchPage(`a guest’s ${path}`, `${url}${path}`, 3)));
    for (const path of freshPaths)
      found.push(...(await benchFreshPage(`a guest’s ${path}`, `${url}${path}`)));
    return found;
  },
  weight: async (main) => {
    const { guest, signedIn, homes, landing } = await lookedPages(await main());
    return benchWeight(
      [landing, ...[...freshPaths, '/resources'].map((path) => ({ ...guest(path), maxWanted: 80 }))],
      [...homes, ...['/growth', '/profile?tab=sessions', '/nowhere'].map(signedIn)],
    );
  },
  blocking: async (main) => benchBlocking((await lookedPages(await main())).landing),
  lighthouse: async (main) => {
    const { guest, landing } = await lookedPages(await main());
    return benchLighthouse([landing, ...[...freshPaths, ...publicPaths].map(guest)]);
  },
  'lighthouse-signed-in': async (main) => {
    const { signedIn, homes } = await lookedPages(await main());
    return benchLighthouse([...homes, ...privatePaths.map(signedIn)]);
  },
  bookings: async (main) => {
    const { product, databaseUrl, cookies } = await main();
    const own = await cookies((db) => addClients(db, clients * 2));
    return benchBookings({ url: product.url, cookies: own, databaseUrl });
  },
  'sign-ins': async (main) => {
    const { product, databaseUrl } = await main();
    return benchSignIns({ url: product.url, databaseUrl });
  },
  notices: async (main) => benchNotices((await main()).databaseUrl),
  races: async (main) => {
    const { product, databaseUrl, authSecret, keys } = await main();
    const urls = [product.url];
    while (urls.length < racers)
      urls.push((await start({ ...keys, DATABASE_URL: databaseUrl, DATABASE_POOL: '8' })).url);
    return benchRaces({ urls, databaseUrl, authSecret });
  },
  messages: async (main) => {
    const { product, databaseUrl, authSecret, encryptionKeys, keys } = await main();
    const second = await start({ ...keys, DATABASE_URL: databaseUrl });
    const crash = async () => {
      await second.kill();
      await start({ ...keys, DATABASE_URL: databaseUrl }, Number(new URL(second.url).port));
    };
    const urls = [product.url, second.url] as const;
    const found: Figure[] = [];
    await benchMessages(
      { urls, pid: product.pid, databaseUrl, authSecret, encryptionKeys, crash },
      (more) => void found.push(...more),
    );
    return found;
  },
  backups: () => benchBackups(),
  administration: async () => {
    const { product, databaseUrl, authSecret } = await startMain();
    return benchAdministration({ url: product.url, databaseUrl, authSecret });
  },
  scale: async () => {
    const { product, databaseUrl, authSecret } = await startMain();
    await benchScale({ url: product.url, databaseUrl, authSecret }, say);
    return [];
  },
  // Runs last: it leaves thousands of specialists behind.
  finding: async (main) => {
    const { product, databaseUrl } = await main();
    return benchFinding({ url: product.url, databaseUrl });
  },
};

async function run(): Promise<void> {
  const unknown = named.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0) throw new Error(`Choose from ${Object.keys(benches).join(', ')}.`);
  let shared: Promise<Main> | undefined;
  const main = () => (shared ??= startMain());
  const began = performance.now();
  for (const [name, bench] of Object.entries(benches)) {
    if (named.length > 0 ? !named.includes(name) : name === slow) continue;
    const from = performance.now();
    say(await bench(main));
    const seconds = (performance.now() - from) / 1_000;
    say([
      { name: `the bench ${name}`, value: `${seconds.toFixed(0)} s`, aim: 'under 120 s', met: seconds < 120 },
    ]);
  }
  const minutes = (performance.now() - began) / 60_000;
  if (named.length === 0)
    say([{ name: 'the whole run', value: `${minutes.toFixed(1)} min`, aim: 'under 15', met: minutes < 15 }]);
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
