import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { plainEnvironment, runProgram } from './support/clean-machine.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('a start on a port that is taken says so in one sentence, and opens no database', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'italk-start-'));
  try {
    const { code, said } = await runProgram([process.execPath, 'src/main.ts'], {
      cwd: root,
      env: plainEnvironment({ PORT: String(port), DATA_DIR }),
    });
    expect(code).toBe(1);
    expect(said.trim()).toBe(
      `Port ${port} is taken by another program; stop that one, or choose another with PORT=…`,
    );
  } finally {
    taken.close();
    await rm(DATA_DIR, { recursive: true, force: true });
  }
});
