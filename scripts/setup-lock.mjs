import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Polling interval in milliseconds. */
const lookMs = 200;

/**
 * Waits until no other command installs or builds in this folder, then holds the lock until `release` or exit. A lock
 * goes stale only when its process and its shared children have all ended: npm keeps installing after its parent dies.
 * @param {string} file
 * @param {(pid: number) => void} onWait called once with the pid being waited for
 * @returns {Promise<{ release: () => void, shareWith: (pid: number | undefined) => void }>}
 */
export async function takeSetupLock(file, onWait) {
  let mine = nameOf(process.pid);
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, mine);
  } catch (error) {
    // A read-only folder needs no lock: writes there fail later with their own error.
    if (['EACCES', 'EROFS', 'EPERM'].includes(error.code)) return { release() {}, shareWith() {} };
    throw error;
  }
  let warned = false;
  try {
    for (;;) {
      if (link(draft, file)) break;
      const found = read(file);
      if (found === undefined) continue;
      const holder = found.split('\n').find((name) => nameOf(Number.parseInt(name, 10)) === name);
      if (holder) {
        if (!warned) onWait(Number.parseInt(holder, 10));
        warned = true;
        await new Promise((resolve) => setTimeout(resolve, lookMs));
      } else takeAway(file, found);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  const release = () => {
    process.off('exit', release);
    if (read(file) === mine) rmSync(file, { force: true });
  };
  process.once('exit', release);
  return {
    release,
    shareWith(pid) {
      const name = pid && nameOf(pid);
      if (!name || read(file) !== mine) return;
      mine += `\n${name}`;
      writeFileSync(draft, mine);
      renameSync(draft, file);
    },
  };
}

/** A process's lock entry; undefined if not running. @param {number} pid */
function nameOf(pid) {
  const start = startOf(pid);
  return start && `${pid} ${start}`;
}

/** Start time, which distinguishes reused pids; undefined if not running. @param {number} pid */
function startOf(pid) {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0) && 'running';
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return fields[0] === 'Z' ? undefined : `${boot}:${fields[19]}`;
  } catch (error) {
    return error.code === 'EPERM' ? 'running' : undefined;
  }
}

/** Creates the lock atomically, only if absent. @param {string} draft @param {string} file */
function link(draft, file) {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * Moves a stale lock aside; restores it if another process just replaced it. @param {string} file @param {string} stale
 */
function takeAway(file, stale) {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    if (read(aside) !== stale) link(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
