import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { verseText } from '../../../scripts/verses.ts';
import { catalogueContract } from './contract.ts';
import { service, services } from './queries.ts';

const { db, as } = await testDatabase();
const guest = as({ kind: 'guest' });

describe('the default catalog', () => {
  it('has the client spec’s six services in order', async () => {
    expect((await services(guest)).map(({ id, title }) => [id, title])).toEqual([
      ['individuals', 'Individual Healing'],
      ['couples', 'Strengthening Bonds'],
      ['families', 'Uniting Families in Faith'],
      ['teens', 'Youth Guidance'],
      ['grief', 'Comfort & Healing'],
      ['spiritual', 'Faith Strengthening'],
    ]);
  });

  it('has all the page content for every service', async () => {
    for (const { id } of await services(guest)) {
      const detail = catalogueContract.service['~orpc'].outputSchema!.parse(await service(guest, id));
      expect(detail.issuesAddressed.length).toBeGreaterThanOrEqual(5);
      expect(detail.issuesAddressed.length).toBeLessThanOrEqual(7);
      expect(detail.spiritualThemes).toHaveLength(2);
      expect(detail.relatedResources.length).toBeGreaterThan(0);
    }
  });

  it('quotes Scripture verbatim from the World English Bible', async () => {
    for (const { id } of await services(guest)) {
      for (const { verse, quote } of (await service(guest, id)).spiritualThemes) {
        expect(quote).toBe(await verseText(verse));
      }
    }
  });
});

describe('texts that quote Scripture', async () => {
  const texts = JSON.parse(await readFile('messages/en.json', 'utf8')) as Record<string, string>;

  it.each(Object.keys(texts).filter((key) => key.endsWith('_verse')))(
    'have the words of the verse that they name: %s',
    async (key) => {
      const source = texts[`${key}_source`];
      expect(source, `${key}_source names the verse`).toBeDefined();
      expect(texts[key]).toBe(await verseText(source!));
    },
  );
});

describe('service', () => {
  it('returns not_found for unknown and inactive services', async () => {
    await expect(service(guest, 'unknown')).rejects.toMatchObject({ code: 'not_found' });
    await db.updateTable('services').set({ active: false }).where('id', '=', 'teens').execute();
    await expect(service(guest, 'teens')).rejects.toMatchObject({ code: 'not_found' });
    expect((await services(guest)).map(({ id }) => id)).not.toContain('teens');
    await db.updateTable('services').set({ active: true }).where('id', '=', 'teens').execute();
  });
});
