import { createServer } from 'node:net';
import { sql } from 'kysely';
import { seedDemo } from '#/app/demo.ts';
import { builtPages, developedPages } from '#/app/pages.ts';
import { reactions, reactionsOf } from '#/app/reactions.ts';
import { schedulesOf } from '#/app/schedules.ts';
import type { Server } from '#/app/listening.ts';
import { createProbes } from '#/app/probes.ts';
import { createApp, type Parts } from '#/app/server.ts';
import { demoPassword, requireNoDemoPassword } from '#/features/accounts/demo.ts';
import { createIdentity } from '#/features/accounts/endpoints/commands.ts';
import { newId } from '#/platform/clock.ts';
import { readConfig, type Config } from '#/platform/config.ts';
import type { Ctx, Replica } from '#/platform/context.ts';
import { openClock } from '#/platform/db/clock.ts';
import { answerWithinMs, connect, timeouts } from '#/platform/db/database.ts';
import { openEmbedded } from '#/platform/db/embedded.ts';
import { accountOf, grantRuntime } from '#/platform/db/grants.ts';
import { install } from '#/app/install.ts';
import { migrated } from '#/platform/db/migrate.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { openReplica, replicaAnswersWithinMs } from '#/platform/db/replica.ts';
import { backupsOf, processContext } from '#/app/process-context.ts';
import { emitter } from '#/platform/jobs/reactions.ts';
import { openJobs, hasQueues, startWorkers } from '#/platform/jobs/jobs.ts';
import { runSchedules } from '#/platform/jobs/scheduler.ts';
import { redirectConsole, openLog, type Log } from '#/platform/log.ts';
import { smtpTransport } from '#/platform/mail/smtp.ts';
import { openHub } from '#/platform/realtime/hub.ts';
import { pagesChannel } from '#/platform/realtime/publish.ts';
import { openSms } from '#/platform/sms/sms.ts';
import { StartError } from '#/platform/start-error.ts';

/** Shutdown timeout in milliseconds. */
const shutdownMs = 25_000;

/** Cleanup functions, run in reverse order on shutdown. */
type Closing = (() => Promise<unknown>)[];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** URLs for the runtime account, past any pooler too, and for the table owner. */
interface Addresses {
  url: string;
  directUrl: string;
  ownerUrl: string;
}

/** Starts the embedded database unless another is configured. */
async function openDatabase(config: Config, closing: Closing): Promise<Addresses> {
  if (config.databaseUrl)
    return {
      url: config.databaseUrl,
      directUrl: config.databaseDirectUrl ?? config.databaseUrl,
      ownerUrl: config.databaseOwnerUrl ?? config.databaseDirectUrl ?? config.databaseUrl,
    };
  const embedded = await openEmbedded({ dataDir: config.dataDir, log: say });
  closing.push(() => embedded.stop());
  return { url: embedded.programUrl, directUrl: embedded.programUrl, ownerUrl: embedded.url };
}

async function installDemo({ url, ownerUrl }: Addresses): Promise<void> {
  const { db } = connect(ownerUrl, 2);
  try {
    await install(
      db,
      ownerUrl,
      reactions.map(({ name }) => name),
    );
    if (ownerUrl !== url) await grantRuntime(db, accountOf(url));
  } finally {
    await db.destroy();
  }
}

/** Throws a readable error if the database doesn't answer, without revealing its URL. */
async function requireAnswer(db: Ctx['db']): Promise<void> {
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    const reason = sqlState(error) ?? 'no answer';
    throw new StartError(
      `We can’t connect to the database (${reason}). Check DATABASE_URL and that the server is running.`,
      { cause: error },
    );
  }
}

/** Poolers drop a connection's own settings. */
async function requireSettings(db: Ctx['db'], account: string): Promise<void> {
  const wanted = { TimeZone: 'UTC', ...timeouts };
  const { rows } = await sql<{ missing: string }>`
    select wanted.name as missing from json_each_text(${JSON.stringify(wanted)}) as wanted (name, setting)
     where wanted.setting::text is distinct from
       (select setting from pg_settings where lower(pg_settings.name) = lower(wanted.name))`.execute(db);
  if (rows.length === 0) return;
  const commands = rows.map(
    ({ missing }) =>
      `alter role ${account} set ${missing} = '${String(wanted[missing as keyof typeof wanted])}';`,
  );
  throw new StartError(
    `DATABASE_URL goes through a pooler, so its account needs these settings. Run them, restart the pooler, then start again: ${commands.join(' ')}`,
  );
}

async function start(config: Config, closing: Closing): Promise<void> {
  await requirePort(config);
  const log = openLog(config.logLevel);
  if (!config.dev) redirectConsole(log);
  const addresses = await openDatabase(config, closing);
  if (ending) return;
  const { url, directUrl } = addresses;
  const pooled = directUrl !== url;
  const { db } = connect(url, config.poolSize, { answerWithinMs, pooled });
  closing.push(() => db.destroy());
  await requireAnswer(db);
  if (pooled) await requireSettings(db, accountOf(url));
  if (config.mode === 'demo') await installDemo(addresses);
  else if (!(await migrated(db)))
    throw new StartError('The database isn’t at this version. Run: npm run migrate');
  else await requireNoDemoPassword({ db });

  const clock = await openClock(db);
  const jobs = openJobs(url, log);
  await jobs.start();
  closing.push(() => jobs.stop({ graceful: true, timeout: shutdownMs / 2 }));
  if (ending) return;
  const transport = config.smtpUrl ? smtpTransport(config.smtpUrl, config.mailFrom) : null;
  const sms = config.sms && openSms(config.sms);
  const handlers = reactionsOf({ ...config, transport, sms });
  if (
    !(await hasQueues(
      jobs,
      handlers.map(({ name }) => name),
    ))
  )
    throw new StartError('The database has no job queues for this version. Run: npm run migrate');
  const emit = emitter(jobs, handlers);
  const replica = replicaOf(config, db, log, closing);
  const base = processContext(config, { db, replica, emit, now: clock.now });
  const systemContext = (actor: Ctx['actor'], requestId: string): Ctx => ({
    ...base,
    actor,
    requestId,
    address: null,
  });
  const hub = await openHub(directUrl, log);
  closing.push(() => hub.close());
  if (config.mode === 'demo') await seedDemo(systemContext({ kind: 'system' }, newId()));
  const runsJobs = config.role !== 'web';
  if (runsJobs)
    await startWorkers(
      jobs,
      handlers,
      ({ name, requestId }) => systemContext({ kind: 'job', name }, requestId),
      log,
      hub,
    );
  if (ending) return;

  const { appUrl, authSecret, backupDir } = config;
  const scheduler = runSchedules(
    schedulesOf({
      appUrl,
      authSecret,
      backupDir,
      backups: backupsOf(config, directUrl),
      auditLog: config.mode === 'demo' ? null : log,
      clock,
    }).filter(({ inEveryProcess }) => runsJobs || inEveryProcess),
    { contextOf: (name) => systemContext({ kind: 'job', name }, newId()), log },
  );
  closing.push(() => scheduler.stop());

  const server =
    config.role === 'worker'
      ? createProbes({ config, base })
      : await webServer({ config, base, hub, log, schedules: scheduler.states });
  if (ending) return;
  closing.push(() => server.close());
  const port = await server.listen().catch((error: unknown) => {
    throw portError(error, config);
  });
  announce(config, port);
}

/** Optional at start: the primary server can take all reads. */
function replicaOf(
  { databaseReplicaUrl: url, poolSize }: Config,
  primary: Ctx['db'],
  log: Log,
  closing: Closing,
): Replica | undefined {
  if (!url) return undefined;
  const { db } = connect(url, poolSize, { answerWithinMs: replicaAnswersWithinMs });
  closing.push(() => db.destroy());
  return openReplica(primary, db, log);
}

async function webServer(parts: Omit<Parts, 'identity' | 'pages'>): Promise<Server> {
  const { config, hub } = parts;
  const pages = config.dev ? await developedPages() : await builtPages();
  await hub.listen(pagesChannel, () => pages.forget());
  return createApp({ ...parts, identity: createIdentity(parts), pages });
}

/** Before starting the database, jobs and backups. */
async function requirePort(config: Config): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject).listen(config.port, config.host, resolve);
    });
  } catch (error) {
    throw portError(error, config);
  }
  await new Promise((resolve) => probe.close(resolve));
}

function portError(error: unknown, { host, port }: Config): Error {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE')
    return new StartError(
      `Port ${port} is in use by another program. Stop that program, or set PORT to another port.`,
    );
  if (code === 'EACCES')
    return new StartError(`You don’t have permission to use port ${port}. Set PORT to a port above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`${host} isn’t an address of this machine. Set HOST to one that is.`);
  return error as Error;
}

function announce(config: Config, port: number): void {
  if (config.role === 'worker') return say('iTalk runs jobs, and serves no pages.');
  const address = `http://${config.host === '127.0.0.1' ? 'localhost' : config.host}:${port}`;
  if (config.mode === 'production') return say(`iTalk serves ${config.appUrl} on ${address}`);
  say(`
  iTalk is ready:  ${address}

  Demo accounts, password ${demoPassword}
    client@italk.example   a client
    doctor@italk.example   a doctor
    pastor@italk.example   a pastor
    admin@italk.example    the administrator
  Read its emails at ${address}/dev/mail
  Press Ctrl-C to stop it and its database.
`);
  if (config.openDemo)
    say(
      '  Warning: other people can reach this demo and sign in with these passwords, even as the administrator.\n',
    );
}

/** Runs all cleanups, even if some fail. */
async function close(closing: Closing): Promise<void> {
  for (const one of closing.splice(0).toReversed()) {
    await one().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  }
}

// Makes new files accessible only to this account.
process.umask(0o077);

const closing: Closing = [];
let ending = false;
let starting: Promise<void> | undefined;
/** Milliseconds to keep serving after a shutdown signal. */
let drainMs = 0;

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(1), drainMs + shutdownMs).unref();
  await close(closing);
  // `start` fails or returns early now; close what it opened meanwhile.
  await starting?.catch(() => undefined);
  await close(closing);
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));

try {
  const config = readConfig(process.env);
  drainMs = config.drainSeconds * 1_000;
  starting = start(config, closing);
  await starting;
} catch (error) {
  if (!ending)
    process.stderr.write(`${error instanceof StartError ? error.message : (error as Error).stack}\n`);
  await end(1);
}
