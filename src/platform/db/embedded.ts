import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { StartError } from '#/platform/start-error.ts';
import { installedBinaries, usableBinaries } from './embedded/binaries.ts';
import { takeLock } from './embedded/lock.ts';
import { type Place, findPlace, makeSocketFolder, removeSocketFolder } from './embedded/place.ts';
import {
  PORT,
  type Postmaster,
  SUPERUSER,
  findRunning,
  makeCluster,
  signalRunning,
  startPostmaster,
  stopPostmaster,
} from './embedded/postmaster.ts';
import { supervise } from './embedded/supervise.ts';
import { fileTrouble } from './embedded/trouble.ts';

const DATABASE = 'italk';
/** The account that the running program uses: it owns nothing, and gets its rights after each migration. */
const PROGRAM = 'italk_program';

/** The program's own PostgreSQL, which this process owns until it stops it, and starts again when it ends by itself. */
export interface EmbeddedDatabase {
  /** For `pg`, libpq and DATABASE_URL alike; other databases of the server differ in the path only. Owns the tables. */
  url: string;
  /** The same under an account that can't change tables or switch off what guards the audit log. */
  programUrl: string;
  socketDir: string;
  /** Whether the server still ran from a program that was killed. */
  adopted: boolean;
  /** Stops the server and lets go of the folder. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL of a DATA_DIR, or adopts the one that still runs there, and makes sure that the
 * database exists. Throws a StartError, whose message says what to do, when it can't.
 */
export async function openEmbedded(options: {
  dataDir: string;
  /** Is told, in whole sentences, what a person who starts the program should know. */
  log?: (line: string) => void;
}): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => {});
  const installed = installedBinaries();
  const place = findPlace(options.dataDir);
  const dataFolder = join(place.folder, `pg${installed.major}`);
  const lock = lockPlace(place);
  if ('heldBy' in lock) throw await refusal(lock.heldBy, place, dataFolder);
  let postmaster: Postmaster | undefined;
  // A program that ends without stopping it, even on its way up, doesn't leave it running; only a killed one does.
  const abandon = () => {
    signalRunning(dataFolder);
    lock.release();
  };
  process.once('exit', abandon);
  const letGo = () => {
    process.off('exit', abandon);
    lock.release();
  };
  try {
    refuseOtherMajors(place, installed.major);
    if (place.folder !== place.dataDir) {
      log(
        `The database lies in ${place.folder}: PostgreSQL does not run as root, and others can't enter ${place.dataDir}.`,
      );
    }
    const binaries = usableBinaries(installed, place);
    if (!existsSync(dataFolder)) await makeCluster(binaries, place, dataFolder);
    const running = await findRunning(dataFolder);
    postmaster =
      running ?? (await startPostmaster(binaries, place, dataFolder, makeSocketFolder(place), log));
    await ensureDatabase(postmaster.socketDir);
    const { socketDir } = postmaster;
    // In the same socket folder, so that the address stays.
    const restart = async () =>
      (await findRunning(dataFolder)) ?? startPostmaster(binaries, place, dataFolder, socketDir, log);
    const watch = supervise(postmaster, { dataFolder, restart, log });
    const stop = async () => {
      const last = await watch.end();
      if (last) await stopPostmaster(last, dataFolder);
      removeSocketFolder(socketDir);
      letGo();
    };
    let stopping: Promise<void> | undefined;
    return {
      url: urlOf(socketDir),
      programUrl: urlOf(socketDir, PROGRAM),
      socketDir,
      adopted: running !== undefined,
      stop: () => (stopping ??= stop()),
    };
  } catch (error) {
    if (postmaster) await stopPostmaster(postmaster, dataFolder);
    letGo();
    throw fileTrouble(error, place.folder);
  }
}

function lockPlace(place: Place): ReturnType<typeof takeLock> {
  try {
    return takeLock(place.folder);
  } catch (error) {
    throw fileTrouble(error, place.folder);
  }
}

async function refusal(pid: number, place: Place, dataFolder: string): Promise<StartError> {
  const running = await findRunning(dataFolder, 5_000);
  const instead = running
    ? `start this one with ITALK_MODE=demo DATABASE_URL='${urlOf(running.socketDir)}'`
    : 'wait until it has started, and ask again for the DATABASE_URL to use';
  return new StartError(
    `Another program (process ${pid}) runs the database in ${place.dataDir}: stop it, name another folder in DATA_DIR, or ${instead}.`,
  );
}

/** A database of another major version is never converted in place. */
function refuseOtherMajors(place: Place, major: number): void {
  const found = readdirSync(place.folder)
    .map((entry) => Number(/^pg(\d+)$/.exec(entry)?.[1]))
    .filter((other) => other > 0);
  const other = Math.max(...found);
  if (found.length === 0 || found.includes(major)) return;
  throw new StartError(
    `The database in ${place.folder} was made by PostgreSQL ${other}, and this program brings ${major}: start the program that made it, or restore a backup of it into an empty DATA_DIR.`,
  );
}

async function ensureDatabase(socketDir: string): Promise<void> {
  const client = new pg.Client({ host: socketDir, port: PORT, user: SUPERUSER, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`create database ${DATABASE}`);
    const program = await client.query('select from pg_roles where rolname = $1', [PROGRAM]);
    if (!program.rowCount) await client.query(`create role ${PROGRAM} login`);
  } finally {
    await client.end();
  }
}

function urlOf(socketDir: string, account = SUPERUSER): string {
  // Escapes apostrophes: the address is printed in single quotes for a shell.
  const host = encodeURIComponent(socketDir).replaceAll("'", '%27');
  return `postgresql://${account}@localhost:${PORT}/${DATABASE}?host=${host}`;
}
