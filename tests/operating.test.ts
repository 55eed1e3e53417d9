import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { rowsUnder } from './support/documents.ts';
import { plainEnvironment, runProgram } from './support/clean-machine.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'italk data folder '));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test('has a deadline for updates of every severity, sooner the worse it is', () => {
  const rows = rowsUnder('docs/operating.md', 'Keep it up to date');
  const severities = ['critical', 'high', 'medium', 'low'];
  expect(rows.map(([severity]) => /^\w+/.exec(severity!)![0])).toEqual(severities);
  const days = rows.map(([, within]) => Number(/^(\d+) days$/.exec(within!)![1]));
  expect(days).toEqual(days.toSorted((one, other) => one - other));
  expect(days[0]).toBeLessThanOrEqual(7);
});

test('ships a configuration file that a shell can read', async () => {
  const line = 'set -eu; . deploy/italk.env.example; echo "$ITALK_MODE $MAIL_FROM"';
  const { code, said } = await runProgram(['sh', '-ec', line], {
    cwd: process.cwd(),
    env: plainEnvironment(),
  });
  expect({ code, said }).toEqual({ code: 0, said: 'production care@example.org\n' });
});

test.each(['migrate', 'backup', 'rekey', 'audit-verify'])(
  '%s makes no database of its own where none is configured',
  { tags: ['long'] },
  async (name) => {
    const { code, said } = await runProgram([process.execPath, `scripts/${name}.ts`], {
      cwd: process.cwd(),
      env: plainEnvironment({ DATA_DIR: dataDir }),
    });
    expect(code).toBe(1);
    expect(said).toMatch(
      /^DATABASE_URL isn’t set, and there is no demo database in .*data folder .*\. Load .*\.$/m,
    );
    expect(await readdir(dataDir)).not.toContain('pg18');
  },
);
