import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#/platform/start-error.ts';
import { takeLock } from './lock.ts';
import { deleteFolder, pointedFolder, removeSocketFolder } from './folders.ts';
import { findRunning, stopPostmaster } from './postmaster.ts';
import { fileError } from './file-errors.ts';

/**
 * Deletes a DATA_DIR and its database, stopping the server; refuses while a program uses it. In folders with unrelated
 * files, deletes only database files and returns the remaining entries.
 */
export async function deleteEmbedded(dataDir: string): Promise<string[]> {
  if (!existsSync(dataDir)) return [];
  const inside = realpathSync(dataDir);
  const outside = pointedFolder(inside);
  const folder = outside && existsSync(outside) ? outside : inside;
  try {
    const lock = takeLock(folder);
    if ('heldBy' in lock) {
      throw new StartError(`The program (process ${lock.heldBy}) is still using ${inside}. Stop it first.`);
    }
    try {
      await stopDatabases(folder);
      if (folder !== inside) deleteFolder(folder);
      return deleteFolder(inside);
    } finally {
      lock.release();
    }
  } catch (error) {
    throw fileError(error, folder);
  }
}

async function stopDatabases(folder: string): Promise<void> {
  for (const entry of readdirSync(folder)) {
    if (!/^pg\d+$/.test(entry)) continue;
    const dataFolder = join(folder, entry);
    const running = await findRunning(dataFolder);
    if (!running) continue;
    await stopPostmaster(running, dataFolder);
    removeSocketFolder(running.socketDir);
  }
}
