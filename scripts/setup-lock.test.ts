import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { takeSetupLock } from './setup-lock.mjs';

const folder = mkdtempSync(join(tmpdir(), 'italk-setup-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function otherCommand(file: string, then: string): Promise<number> {
  const module = new URL('setup-lock.mjs', import.meta.url).href;
  const script = `import { takeSetupLock } from ${JSON.stringify(module)}; const setup = await takeSetupLock(${JSON.stringify(file)}, () => {}); ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid!;
}

describe('the setup lock', () => {
  it('makes a second command wait, and reports the holder once', async () => {
    const file = join(folder, 'waits');
    const first = await takeSetupLock(file, () => expect.unreachable());
    const waitedFor: number[] = [];
    let taken = false;
    const second = takeSetupLock(file, (pid) => waitedFor.push(pid)).then((setup) => {
      taken = true;
      return setup;
    });
    await expect.poll(() => waitedFor).toEqual([process.pid]);
    expect(taken).toBe(false);
    first.release();
    (await second).release();
    expect(waitedFor).toEqual([process.pid]);
    expect(existsSync(file)).toBe(false);
  });

  it('is taken over from a killed command', async () => {
    const file = join(folder, 'killed');
    await otherCommand(file, `process.kill(process.pid, 'SIGKILL');`);
    expect(existsSync(file)).toBe(true);
    (await takeSetupLock(file, () => expect.unreachable())).release();
  });

  it('waits for an installation left running by a killed command', async () => {
    const file = join(folder, 'orphan');
    const npm = spawn('sleep', ['60']);
    try {
      await otherCommand(file, `setup.shareWith(${npm.pid}); process.kill(process.pid, 'SIGKILL');`);
      const waitedFor: number[] = [];
      const next = takeSetupLock(file, (pid) => waitedFor.push(pid));
      await expect.poll(() => waitedFor).toEqual([npm.pid]);
      npm.kill();
      (await next).release();
      expect(existsSync(file)).toBe(false);
    } finally {
      npm.kill();
    }
  });

  it('is released when its command exits', async () => {
    const file = join(folder, 'ended');
    await otherCommand(file, 'process.exit(1);');
    expect(existsSync(file)).toBe(false);
  });
});
