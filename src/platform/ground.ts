import { join } from 'node:path';
import { newId, systemNow } from './clock.ts';
import type { Config } from './config.ts';
import type { Ground } from './context.ts';
import { openKeyring } from './crypto/keyring.ts';
import { openDisk } from './files/disk.ts';
import { openRemoteDisk } from './files/remote-disk.ts';
import { openFiles } from './files/storage.ts';

/** What every context of this program shares, from its configuration. */
export function groundOf(config: Config, { db, emit }: Pick<Ground, 'db' | 'emit'>): Ground {
  const disk = config.s3 ? openRemoteDisk(config.s3) : openDisk(join(config.dataDir, 'files'));
  return {
    db,
    emit,
    now: systemNow,
    newId,
    files: openFiles({ disk, secret: config.authSecret }),
    keyring: openKeyring(config.encryptionKeys),
    privateNotes: openKeyring(config.privateNotesKeys),
  };
}
