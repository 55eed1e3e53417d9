import { join } from 'node:path';
import { openBackups, type Backups } from '#/platform/backup/backups.ts';
import { newId } from '#/platform/clock.ts';
import type { Config } from '#/platform/config.ts';
import type { ProcessContext } from '#/platform/context.ts';
import { keysOf, openKeyring } from '#/platform/keyring.ts';
import { openDisk, type Disk } from '#/platform/files/disk.ts';
import { openRemoteDisk } from '#/platform/files/remote-disk.ts';
import { openFiles } from '#/platform/files/storage.ts';
import { features } from './features.ts';

export function diskOf(config: Pick<Config, 's3' | 'dataDir'>): Disk {
  return config.s3 ? openRemoteDisk(config.s3) : openDisk(join(config.dataDir, 'files'));
}

export function backupsOf(config: Config, url: string): Backups {
  const { backupDir: folder, backupKeys } = config;
  return openBackups({ url, disk: diskOf(config), folder, keys: keysOf(backupKeys) });
}

export function processContext(
  config: Config,
  { db, replica, emit, now }: Pick<ProcessContext, 'db' | 'replica' | 'emit' | 'now'>,
): ProcessContext {
  const disk = diskOf(config);
  return {
    db,
    replica,
    emit,
    now,
    newId,
    files: openFiles({ disk, secret: config.authSecret }),
    keyring: openKeyring(config.encryptionKeys),
    privateNotes: openKeyring(config.privateNotesKeys),
    authored: features.flatMap(({ authored }) => authored),
  };
}
