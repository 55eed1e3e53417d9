import type { S3Config } from '../config.ts';
import type { Disk } from './disk.ts';

/** Opens S3 storage; loads the large S3 client on first use. */
export function openRemoteDisk(config: S3Config): Disk {
  let opening: Promise<Disk> | undefined;
  const opened = () => (opening ??= import('./s3.ts').then(({ openS3 }) => openS3(config)));
  return {
    put: async (key, body) => (await opened()).put(key, body),
    read: async (key, range) => (await opened()).read(key, range),
    copy: async (from, to) => (await opened()).copy(from, to),
    delete: async (key) => (await opened()).delete(key),
    list: async function* list(folder) {
      yield* (await opened()).list(folder);
    },
  };
}
