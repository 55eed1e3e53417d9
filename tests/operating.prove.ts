import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from '../scripts/product.ts';
import {
  cleanMachine,
  endOf,
  plainEnvironment,
  runProgram,
  shellLines,
  type Ended,
} from './support/clean-machine.ts';
import { databaseUrl, onServer } from './support/global-setup.ts';
import { productionEnvironment } from './support/production.ts';

/** Replacements for commands that need root, a network, systemd or docker. */
const substitutions: readonly (readonly [RegExp, string])[] = [
  [/^sudo useradd .*$/, 'true'],
  [/^sudo git clone <where the sources are> \/opt\/italk/, 'true'],
  [/sudo git pull/, 'true'],
  [/ -g italk /, ' '],
  [/^sudoedit (\S+)$/, 'cp "$FILLED" $1'],
  [/^docker (build|run -d) .*$/, 'true'],
  [/^docker run --rm --env-file (\S+) italk \.\/italk (\S+)$/, 'node --env-file=$1 scripts/$2.ts'],
  [/\bsudo (-u italk )?/g, ''],
  [/(^|[\s=])\/(opt|etc|var)\//g, '$1"$MACHINE"/$2/'],
];

const serverUrl = inject('serverUrl');
const databases = ['live', 'restored'].map((name) => `italk_operating_${name}_${process.pid}`);
const services: ChildProcess[] = [];
let machine: string;
let root: string;
let filled: string;

beforeAll(async () => {
  ({ machine, root } = await cleanMachine());
  for (const name of databases) await onServer(serverUrl, `create database ${name} template template0`);
  await mkdir(join(machine, 'etc/systemd/system'), { recursive: true });
  filled = join(machine, 'filled.env');
  await fill(databases[0]!);
});

afterAll(async () => {
  for (const service of services) service.kill('SIGKILL');
  await onServer(serverUrl, ...databases.map((name) => `drop database if exists ${name} with (force)`));
  await rm(dirname(machine), { recursive: true, force: true });
});

async function fill(database: string): Promise<void> {
  const DATA_DIR = join(machine, productionEnvironment().DATA_DIR!);
  const known = existsSync(filled) ? parseEnv(await readFile(filled, 'utf8')) : productionEnvironment();
  const env = { ...known, DATA_DIR, DATABASE_URL: databaseUrl(serverUrl, database) };
  await writeFile(
    filled,
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
}

async function storeFile(): Promise<void> {
  const object = randomUUID();
  const folder = join(parseEnv(await readFile(filled, 'utf8')).DATA_DIR!, 'files/objects', object.slice(-2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, object), 'Bytes');
  await onServer(
    databaseUrl(serverUrl, databases[0]!),
    `insert into files (id, bucket, name, content_type, size, object, created_at, updated_at)
      values (gen_random_uuid(), 'resources', 'a.pdf', 'application/pdf', 5, '${object}', now(), now())`,
  );
}

function onMachine(line: string, more: Record<string, string> = {}): Promise<Ended> {
  const command = substitutions.reduce((text, [from, to]) => text.replace(from, to), line);
  const env = plainEnvironment({ MACHINE: machine, FILLED: filled, ...more });
  return runProgram(['sh', '-ec', command], { cwd: root, env });
}

async function serve(args: readonly string[], env: Record<string, string>) {
  const port = await freePort();
  const child = spawn(join(root, 'node_modules/.bin/node'), args, {
    cwd: root,
    env: plainEnvironment({ ...env, PORT: String(port) }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  services.push(child);
  const ended = endOf(child);
  let over: Ended | undefined;
  void ended.then((end) => (over = end));
  const url = `http://127.0.0.1:${port}`;
  const ready = () =>
    over ??
    fetch(`${url}/readyz`).then(
      ({ status }) => status,
      () => null,
    );
  await expect.poll(ready, { timeout: 180_000, interval: 200 }).toBe(200);
  return {
    url,
    stop: (signal: 'SIGTERM' | 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}

async function startService() {
  const unit = await readFile(join(root, 'deploy/italk.service'), 'utf8');
  const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!;
  const own = Object.fromEntries(
    valueOf('Environment')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );
  const file = parseEnv(await readFile(join(machine, valueOf('EnvironmentFile')), 'utf8'));
  return serve(valueOf('ExecStart').split(' ').slice(1), { ...own, ...(file as Record<string, string>) });
}

test('builds a fresh clone once for two concurrent commands', async () => {
  const both = await Promise.all([1, 2].map(() => onMachine('sudo node scripts/bootstrap.mjs build')));
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const said = both.map((one) => one.said).join('');
  expect(said.match(/Building the pages/g)).toHaveLength(1);
  expect(said).toMatch(/Another command \(process \d+\) is installing or building here/);
});

test('installs, serves, upgrades, backs up and restores with the documented commands', async () => {
  let service: Awaited<ReturnType<typeof startService>> | undefined;
  let backup = '';
  /** Runs a command line; systemd's commands are simulated here. */
  async function run(line: string): Promise<Ended> {
    if (/^sudo systemctl (enable --now|restart) italk$/.test(line)) {
      const before = await service?.stop('SIGTERM');
      service = await startService();
      return before ?? { code: 0, said: '' };
    }
    if (line.includes('scripts/backup.ts')) await storeFile();
    if (line.includes('scripts/restore.ts')) {
      await service!.stop('SIGTERM');
      await fill(databases[1]!);
      await onMachine('sudoedit /etc/italk/italk.env');
    }
    return onMachine(line.replace(/italk-….backup/, backup));
  }
  const lines = await shellLines('docs/operating.md');
  const databasesNamed: string[] = [];
  const filesNamed: string[] = [];
  for (const line of lines) {
    const { code, said } = await run(line);
    expect(code, `${line}\n${said}`).toBe(0);
    databasesNamed.push(...(/^Database: .* \(production\)\./m.exec(said) ?? []));
    filesNamed.push(...(/(?:Backed up \d+ rows and|Restored, with) \d+ files/.exec(said) ?? []));
    backup = /italk-[^/ ]+\.backup/.exec(said)?.[0] ?? backup;
  }
  expect(lines.length).toBeGreaterThan(12);
  // Three migrations, a backup and a restore.
  expect(databasesNamed).toHaveLength(5);
  expect(filesNamed).toEqual([expect.stringMatching(/^Backed up .* 1 files$/), 'Restored, with 1 files']);
  service = await startService();
  expect(await (await fetch(service.url)).text()).not.toContain('public demo');
  expect(await service.stop('SIGTERM')).toMatchObject({ code: 0 });
});

const script = (name: string, ...args: string[]) =>
  runProgram([join(root, 'node_modules/.bin/node'), `scripts/${name}.ts`, ...args], {
    cwd: root,
    env: plainEnvironment({ DATA_DIR: join(machine, 'data folder') }),
  });

test('runs the demo in a path with a space, and names the keys its backups need', async () => {
  const dataDir = join(machine, 'data folder');
  const demo = await serve(['scripts/bootstrap.mjs', 'start'], { DATA_DIR: dataDir });
  expect((await fetch(demo.url)).status).toBe(200);
  expect(existsSync(join(dataDir, 'pg18', 'postmaster.pid'))).toBe(true);
  expect(await demo.stop('SIGINT')).toMatchObject({ code: 0 });
  expect(existsSync(join(dataDir, 'pg18', 'postmaster.pid'))).toBe(false);

  const whole = await script('backup');
  expect(whole.code, whole.said).toBe(0);
  expect(whole.said).toContain(`Database: the demo’s own, in ${dataDir}.`);
  expect(whole.said).toMatch(
    /Keep copies of backup-key, encryption-key and private-notes-key somewhere else/,
  );

  const file = join(dataDir, 'backups', /italk-[^/ ]+\.backup/.exec(whole.said)![0]);
  const restored = await runProgram([join(root, 'node_modules/.bin/node'), 'scripts/restore.ts', file], {
    cwd: root,
    env: plainEnvironment({ DATA_DIR: join(machine, 'another folder') }),
  });
  expect(restored.code, restored.said).toBe(0);
  expect(restored.said).not.toContain('can’t open');
  expect(restored.said).toMatch(/^Restored, with [1-9]\d* files\.$/m);

  // Deletes the files and earlier backups.
  await rm(join(dataDir, 'files'), { recursive: true });
  await rm(join(dataDir, 'backups'), { recursive: true });
  const incomplete = await script('backup');
  expect(incomplete.code).toBe(1);
  expect(incomplete.said).toMatch(/^The backup is incomplete: \d+ files aren’t in /m);
});
