import { chmod, chown, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { installedBinaries, usableBinaries } from '#/platform/db/embedded/binaries.ts';
import { findFolders, makeSocketFolder } from '#/platform/db/embedded/folders.ts';
import { PORT, SUPERUSER } from '#/platform/db/embedded/postmaster.ts';
import { openEmbedded } from '#/platform/db/embedded.ts';
import { deleteEmbedded } from '#/platform/db/embedded/delete.ts';
import { fastFolder } from '../../scripts/fast-folder.ts';

export interface ReplicatedDatabase {
  /** As the table owner. */
  primaryUrl: string;
  replicaUrl: string;
  /** Runs statements on the replica as its superuser. */
  onReplica(...statements: string[]): Promise<void>;
  stopReplica(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a database server with a streaming standby. */
export async function replicatedDatabase(name: string): Promise<ReplicatedDatabase> {
  const dataDir = join(await fastFolder(), `italk-${name}`);
  const primary = await openEmbedded({ dataDir });
  const folders = findFolders(dataDir);
  const installed = installedBinaries();
  const source = join(folders.folder, `pg${installed.major}`);
  const folder = join(folders.folder, 'standby');
  await copyCluster(primary.url, primary.socketDir, source, folder);
  await giveTo(folders.account, folder);
  const socketDir = join(makeSocketFolder(folders), 'standby');
  await mkdir(socketDir, { mode: 0o700, recursive: true });
  if (folders.account) await chown(socketDir, folders.account.uid, folders.account.gid);
  const { postgres } = usableBinaries(installed, folders);
  const settings = [
    'hot_standby=on',
    'listen_addresses=',
    `port=${PORT}`,
    `unix_socket_directories=${socketDir}`,
  ];
  const child = spawn(postgres, ['-D', folder, ...settings.flatMap((one) => ['-c', one])], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: 'ignore',
    ...folders.account,
  });
  const replicaUrl = primary.url.replace(/host=.*/, `host=${encodeURIComponent(socketDir)}`);
  await answers(replicaUrl, child);
  const stopReplica = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGQUIT');
    await once(child, 'exit');
  };
  return {
    primaryUrl: primary.url,
    replicaUrl,
    onReplica: (...statements) => onDatabase(replicaUrl, statements),
    stopReplica,
    async stop() {
      await stopReplica();
      await rm(socketDir, { recursive: true, force: true });
      await primary.stop();
      await deleteEmbedded(dataDir);
    },
  };
}

/** https://www.postgresql.org/docs/18/continuous-archiving.html, “Making a base backup using the low level API”. */
async function copyCluster(url: string, socketDir: string, source: string, target: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    await cp(source, target, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !/postmaster\.(pid|opts)$/.test(path),
    });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(target, 'backup_label'), rows[0]!.labelfile);
  } finally {
    await client.end();
  }
  await writeFile(join(target, 'standby.signal'), '');
  const line = `host=${socketDir} port=${PORT} user=${SUPERUSER}`;
  await writeFile(join(target, 'postgresql.auto.conf'), `primary_conninfo = '${line}'\n`);
}

async function giveTo(account: { uid: number; gid: number } | undefined, folder: string): Promise<void> {
  await chmod(folder, 0o700);
  if (!account) return;
  const entries = await readdir(folder, { recursive: true });
  for (const path of ['', ...entries]) await chown(join(folder, path), account.uid, account.gid);
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      return await onDatabase(url, ['select 1']);
    } catch (error) {
      if (child.exitCode !== null || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function onDatabase(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
