import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { StartError } from '#/platform/start-error.ts';
import { installedBinaries, usableBinaries } from './embedded/binaries.ts';
import { takeLock } from './embedded/lock.ts';
import {
  type DatabaseFolders,
  findFolders,
  makeSocketFolder,
  removeSocketFolder,
} from './embedded/folders.ts';
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
import { fileError } from './embedded/file-errors.ts';

const DATABASE = 'italk';
const PROGRAM = 'italk_program';

export interface EmbeddedDatabase {
  /**
   * Connects as the table owner. Works with `pg`, libpq and DATABASE_URL; the server's other databases differ only in
   * the path.
   */
  url: string;
  /** Connects as the runtime role, which can't alter tables or disable the audit log's triggers. */
  programUrl: string;
  socketDir: string;
  adopted: boolean;
  /** Stops the server and releases the folder lock. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL of a DATA_DIR, or adopts a running one, and creates the database if missing. Throws a
 * StartError with instructions on failure.
 */
export async function openEmbedded(options: {
  dataDir: string;
  /** Receives messages for the operator, in full sentences. */
  log?: (line: string) => void;
}): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => {});
  const installed = installedBinaries();
  const folders = findFolders(options.dataDir);
  const dataFolder = join(folders.folder, `pg${installed.major}`);
  const lock = lockFolder(folders);
  if ('heldBy' in lock) throw await refusal(lock.heldBy, folders, dataFolder);
  let postmaster: Postmaster | undefined;
  // Also stops the server on an early exit. Only a killed process leaves it running.
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
    refuseOtherMajors(folders, installed.major);
    if (folders.folder !== folders.dataDir) {
      log(
        `The database lies in ${folders.folder}: PostgreSQL does not run as root, and others can't enter ${folders.dataDir}.`,
      );
    }
    const binaries = usableBinaries(installed, folders);
    if (!existsSync(dataFolder)) await makeCluster(binaries, folders, dataFolder);
    const running = await findRunning(dataFolder);
    postmaster =
      running ?? (await startPostmaster(binaries, folders, dataFolder, makeSocketFolder(folders), log));
    await ensureDatabase(postmaster.socketDir);
    const { socketDir } = postmaster;
    // Keeps the URL stable.
    const restart = async () =>
      (await findRunning(dataFolder)) ?? startPostmaster(binaries, folders, dataFolder, socketDir, log);
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
    throw fileError(error, folders.folder);
  }
}

function lockFolder(folders: DatabaseFolders): ReturnType<typeof takeLock> {
  try {
    return takeLock(folders.folder);
  } catch (error) {
    throw fileError(error, folders.folder);
  }
}

async function refusal(pid: number, folders: DatabaseFolders, dataFolder: string): Promise<StartError> {
  const running = await findRunning(dataFolder, 5_000);
  const instead = running
    ? `start this one with ITALK_MODE=demo DATABASE_URL='${urlOf(running.socketDir)}'`
    : 'wait until it has started, and ask again for the DATABASE_URL to use';
  return new StartError(
    `Another program (process ${pid}) is running the database in ${folders.dataDir}. Stop it, set DATA_DIR to another folder, or ${instead}.`,
  );
}

function refuseOtherMajors(folders: DatabaseFolders, major: number): void {
  const found = readdirSync(folders.folder)
    .map((entry) => Number(/^pg(\d+)$/.exec(entry)?.[1]))
    .filter((other) => other > 0);
  const other = Math.max(...found);
  if (found.length === 0 || found.includes(major)) return;
  throw new StartError(
    `The database in ${folders.folder} was created by PostgreSQL ${other}, and this program uses ${major}. Start the program that created it, or restore a backup of it into an empty DATA_DIR.`,
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
  // Escapes apostrophes: messages print the URL in single quotes for a shell.
  const host = encodeURIComponent(socketDir).replaceAll("'", '%27');
  return `postgresql://${account}@localhost:${PORT}/${DATABASE}?host=${host}`;
}
