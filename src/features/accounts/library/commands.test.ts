import { globSync, readFileSync } from 'node:fs';
import { getMigrations } from 'better-auth/db/migration';
import { expect, test } from 'vitest';
import { rowsUnder } from '../../../../tests/support/documents.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { newId } from '#/platform/clock.ts';
import { libraryOptions } from './commands.ts';

const { db } = await testDatabase();

test('needs no tables or columns beyond those in our migrations', async () => {
  const options = libraryOptions({
    appUrl: 'https://italk.test',
    secret: 'x'.repeat(40),
    secure: true,
    demo: false,
    adminEmails: [],
    newId,
  });
  const wanted = await getMigrations({ ...options, database: { db, type: 'postgres' } });
  expect(wanted.toBeCreated).toEqual([]);
  expect(wanted.toBeAdded).toEqual([]);
});

test('has the fix of each advisory that touches us, and the test that shows it', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  const { version } = lock.packages['node_modules/better-auth']!;
  const rows = rowsUnder('docs/decisions/0008-identity.md', "The library's advisories");
  const fixed = rows.flatMap(([advisory]) => /\((\d+\.\d+\.\d+)\)$/.exec(advisory!)?.[1] ?? []);
  expect(fixed.length).toBeGreaterThan(5);
  const later = (one: string) => one.localeCompare(version, 'en-US', { numeric: true }) > 0;
  expect(fixed.filter(later), `newer than ${version}`).toEqual([]);
  const tests = rows.flatMap(([, here]) => [...here!.matchAll(/`([\w/.-]+\.test\.tsx?)`/g)]);
  expect(tests.length).toBeGreaterThan(5);
  for (const [, file] of tests) expect(globSync(`{src,tests}/**/${file}`), file).not.toEqual([]);
});
