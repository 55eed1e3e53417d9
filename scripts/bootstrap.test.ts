import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { installFailure, needsInstall, replaceFolder, withoutTools } from './bootstrap.mjs';

const script = fileURLToPath(new URL('bootstrap.mjs', import.meta.url));
const hono = { version: '4.0.0', integrity: 'sha512-a' };

const whole = () => true;

describe('bootstrap', () => {
  it('installs when a package is missing or differs from the lockfile', () => {
    const lock = { packages: { '': {}, 'node_modules/hono': hono } };
    expect(needsInstall(lock, { packages: {} }, whole)).toBe(true);
    expect(
      needsInstall(lock, { packages: { 'node_modules/hono': { ...hono, version: '4.0.1' } } }, whole),
    ).toBe(true);
    expect(
      needsInstall(lock, { packages: { 'node_modules/hono': { ...hono, integrity: 'sha512-b' } } }, whole),
    ).toBe(true);
    expect(needsInstall(lock, { packages: { 'node_modules/hono': hono } }, whole)).toBe(false);
  });

  it('reinstalls when a package that npm lists is missing on disk', () => {
    const lock = { packages: { 'node_modules/hono': hono, 'node_modules/pg': hono } };
    expect(needsInstall(lock, lock, whole)).toBe(false);
    expect(needsInstall(lock, lock, (path) => path === 'node_modules/hono')).toBe(true);
  });

  it('ignores missing binaries for other platforms', () => {
    const lock = {
      packages: { 'node_modules/hono': hono, 'node_modules/mac-only': { ...hono, optional: true } },
    };
    expect(needsInstall(lock, { packages: { 'node_modules/hono': hono } }, whole)).toBe(false);
  });

  it('needs no tools to serve and build', () => {
    const lock = {
      packages: {
        '': { dependencies: { hono: '4.0.0' }, devDependencies: { vitest: '5.0.0' } },
        'node_modules/hono': hono,
        'node_modules/vitest': { ...hono, dev: true },
        // Also an optional peer of a package that serves.
        'node_modules/typescript': { ...hono, devOptional: true },
      },
    };
    const serving = { packages: { 'node_modules/hono': hono } };
    expect(needsInstall(lock, serving, whole)).toBe(true);
    expect(needsInstall(withoutTools(lock), serving, whole)).toBe(false);
    expect(needsInstall(withoutTools(lock), lock, whole)).toBe(false);
    expect(withoutTools(lock)).toEqual({
      packages: { '': { dependencies: { hono: '4.0.0' } }, 'node_modules/hono': hono },
    });
  });

  it('installs only packages whose exact version and checksum the lockfile lists, from npm’s registry', () => {
    const text = readFileSync(join(dirname(script), '..', 'package-lock.json'), 'utf8');
    const lock = JSON.parse(text) as { packages: Record<string, Record<string, unknown>> };
    const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
    expect(packages.length).toBeGreaterThan(300);
    for (const [path, { version, integrity, resolved }] of packages) {
      expect(version, path).toMatch(/^\d+\.\d+\.\d+/);
      expect(integrity, path).toMatch(/^sha512-/);
      expect(resolved, path).toBeUndefined();
    }
    expect(readFileSync(join(dirname(script), '..', '.npmrc'), 'utf8')).not.toMatch(/^registry=/m);
  });

  it('replaces a build and keeps files of earlier ones for a week', () => {
    const folder = mkdtempSync(join(tmpdir(), 'italk-build-'));
    const current = join(folder, 'build/program');
    const day = 86_400_000;
    const build = (now: number, files: Record<string, string>) => {
      const built = join(folder, 'stage/program');
      rmSync(join(folder, 'stage'), { recursive: true, force: true });
      mkdirSync(join(built, 'parts'), { recursive: true });
      for (const [name, text] of Object.entries(files)) writeFileSync(join(built, name), text);
      replaceFolder(built, current, now);
      return ['.', 'parts'].flatMap((part) =>
        readdirSync(join(current, part)).filter((name) => name.endsWith('.mjs')),
      );
    };
    expect(build(0, { 'main.mjs': 'first', 'parts/a.mjs': '' })).toEqual(['main.mjs', 'a.mjs']);
    expect(build(30 * day, { 'main.mjs': 'second', 'parts/b.mjs': '' })).toEqual([
      'main.mjs',
      'a.mjs',
      'b.mjs',
    ]);
    expect(readFileSync(join(current, 'main.mjs'), 'utf8')).toBe('second');
    expect(build(36 * day, { 'main.mjs': 'third', 'parts/c.mjs': '' })).toEqual([
      'main.mjs',
      'a.mjs',
      'b.mjs',
      'c.mjs',
    ]);
    expect(build(38 * day, { 'main.mjs': 'fourth', 'parts/b.mjs': '' })).toEqual([
      'main.mjs',
      'b.mjs',
      'c.mjs',
    ]);
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['npm error code ENOSPC', 'The disk is full'],
    ['npm error code EACCES\nnpm error syscall mkdir', 'npm can’t write'],
    ['npm error code EROFS', 'npm can’t write'],
    ['npm error code EAI_AGAIN\nnpm error errno EAI_AGAIN', "can't be reached"],
  ])('says what to do about %j', (said, sentence) => {
    expect(installFailure(said, 5e9)).toContain(sentence);
    expect(installFailure(said, 5e9)).toMatch(/^[^\n]+\.$/);
  });

  it('blames a full disk when an install fails with little space left', () => {
    expect(installFailure('npm error SyntaxError: Unexpected end of JSON input', 2e8)).toContain(
      'The disk is full',
    );
  });

  it('lists the commands when given an unknown one', () => {
    const { status, stderr } = spawnSync(process.execPath, [script, 'constructor'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^Choose a command: start, dev, .+\n$/) as string,
    });
  });
});
