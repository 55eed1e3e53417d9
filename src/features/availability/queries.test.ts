import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { citiesNamed } from './queries.ts';

const { as } = await testDatabase();
const names = async (typed: string) =>
  (await citiesNamed(as({ kind: 'system' }), typed)).map(({ name, country }) => `${name}, ${country}`);

test('finds cities by prefix, largest first, ignoring case and accents', async () => {
  expect((await names('san'))[0]).toBe('Santiago, Chile');
  expect(await names('ZÜR')).toEqual(['Zürich, Switzerland']);
  expect(await names('zuri')).toEqual(['Zürich, Switzerland']);
  expect((await names('a')).length).toBe(20);
  expect(await names('Atlantis')).toEqual([]);
  expect((await citiesNamed(as({ kind: 'system' }), 'Jerusalem'))[0]).toMatchObject({
    timeZone: 'Asia/Jerusalem',
  });
});

test('treats special characters in a search as plain text', async () => {
  for (const typed of ['%', '_', '%%', '\\', 'a%', "';"]) expect(await names(typed)).toEqual([]);
});
