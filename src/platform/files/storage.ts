import type { Disk } from 'flydrive';
import type { Files } from './files.ts';

/** Opens the storage layer on a disk; `secret` signs links. */
export function openFiles(parts: { disk: Disk; secret: string }): Files {
  let probes = 0;
  const { disk } = parts;
  return {
    ready: async () => {
      // One of its own for each who asks: several at once would delete each other's.
      const probe = `probe/${process.pid}-${++probes}`;
      try {
        await disk.put(probe, 'ready');
        const read = await disk.get(probe);
        await disk.delete(probe);
        return read === 'ready';
      } catch {
        return false;
      }
    },
  } as unknown as Files;
}
