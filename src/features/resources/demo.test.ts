import { describe, expect, it } from 'vitest';
import type { Role } from '#/kernel/actor.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClients } from '../../../tests/support/people.ts';
import { verseText } from '../../../scripts/verses.ts';
import { demoContent } from '#/platform/demo.ts';
import { blocksOf } from './reading/rules.ts';
import { seedResources } from './demo.ts';
import type { DraftInput } from './library/contract.ts';
import { submissionProblems } from './library/rules.ts';
import { featuredResources } from './library/queries.ts';
import { listResources } from './search/queries.ts';

type Article = Pick<DraftInput, 'type' | 'title' | 'description'> & { body?: readonly string[] };

const { db, as } = await testDatabase({ now: '2026-11-21T18:00:00Z' });
const articles = demoContent<Article[]>('library').flatMap(({ body, ...work }) =>
  body ? [{ ...work, body: body.join('\n\n') }] : [],
);
const quotes = articles.flatMap(({ body }) =>
  blocksOf(body).flatMap((block) => (block.kind === 'quote' ? [block] : [])),
);

describe('demo articles', () => {
  it.each(quotes.map((quote) => [quote.source, quote] as const))(
    'quote %s verbatim from the World English Bible',
    async (source, { runs }) => {
      expect(runs.map(({ text }) => text).join('')).toBe(await verseText(source!));
    },
  );

  it('are complete, and over 180 words long', () => {
    for (const { title, body, description, type } of articles) {
      expect(
        submissionProblems({ type, form: 'article', body, description, url: null, file: null }),
        title,
      ).toEqual([]);
      expect(body.split(/\s+/).length, title).toBeGreaterThan(180);
    }
  });
});

describe('the demo library', () => {
  it('has every category, type and form, with counts that match its rows', { tags: ['long'] }, async () => {
    const people = await addClients(db, 10);
    const person = (index: number, role: Role) => ({ id: people[index]!.id, name: `Person ${index}`, role });
    await seedResources(as({ kind: 'system' }), {
      administrator: person(0, 'super_admin'),
      specialists: [1, 2, 3, 4].map((index) => person(index, 'doctor')),
      readers: [5, 6, 7, 8, 9].map((index) => person(index, 'client')),
    });
    const reader = as(people[5]!);
    const { items, total } = await listResources(reader, { limit: 50 });
    expect(total).toBeGreaterThanOrEqual(12);
    expect(new Set(items.map(({ category }) => category)).size).toBe(5);
    expect(new Set(items.map(({ type }) => type)).size).toBe(4);
    expect(new Set(items.map(({ form }) => form)).size).toBe(3);
    expect(items.filter(({ got }) => got)).toHaveLength(8);
    expect(items.filter(({ rating }) => rating !== null).length).toBeGreaterThan(8);
    expect(await featuredResources(reader)).toHaveLength(3);
    for (const { id, ratingCount, downloadCount } of items) {
      const count = async (table: 'resource_gets' | 'resource_ratings') =>
        (await db.selectFrom(table).select('person_id').where('resource_id', '=', id).execute()).length;
      expect([await count('resource_gets'), await count('resource_ratings')]).toEqual([
        downloadCount,
        ratingCount,
      ]);
    }
    const books = items.filter(({ type }) => type === 'book');
    expect(books.length).toBeGreaterThan(0);
    for (const { title, durationMinutes } of books) expect(durationMinutes, title).toBeGreaterThanOrEqual(30);
    const states = await db.selectFrom('resources').select('status').distinct().execute();
    expect(states.map(({ status }) => status).toSorted()).toEqual([
      'draft',
      'published',
      'rejected',
      'submitted',
    ]);
    const services = await db.selectFrom('services').select(['id', 'related_resources']).execute();
    const titles = new Set(items.map(({ title }) => title));
    for (const { id, related_resources } of services) {
      expect(
        related_resources.some((title) => titles.has(title)),
        id,
      ).toBe(true);
    }
  });
});
