import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';

/** Opens the storage in a local folder; nothing in it is ever served by its name alone. */
export function openDisk(folder: string): Disk {
  return new Disk(new FSDriver({ location: folder, visibility: 'private' }));
}
