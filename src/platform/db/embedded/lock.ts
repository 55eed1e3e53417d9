import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOf } from './process.ts';

/** The start time detects reused process IDs. */
interface Holder {
  pid: number;
  start: string;
}

export type Lock = { release(): void } | { heldBy: number };

/** Locks a folder for this process, replacing locks of dead processes. */
export function takeLock(folder: string): Lock {
  const file = join(folder, 'program.lock');
  const mine = JSON.stringify({ pid: process.pid, start: startOf(process.pid) ?? '' } satisfies Holder);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, mine, { mode: 0o644 });
  try {
    for (;;) {
      try {
        // Atomic; fails if the lock file exists.
        linkSync(draft, file);
        return { release: () => release(file, mine) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const found = read(file);
      if (found === undefined) continue;
      const holder = parse(found);
      if (holder && startOf(holder.pid) === holder.start) return { heldBy: holder.pid };
      moveStaleLock(file, found);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Moves a stale lock aside; restores it if another process replaced it meanwhile. */
function moveStaleLock(file: string, stale: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    if (read(aside) !== stale) linkSync(aside, file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function release(file: string, mine: string): void {
  if (read(file) === mine) rmSync(file, { force: true });
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parse(text: string): Holder | undefined {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return undefined;
  }
}
