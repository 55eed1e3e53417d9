import { expect, test } from 'vitest';
import { listedPages, sitemapFiles } from './site-map.ts';
import { testDatabase } from '../../tests/support/database.ts';
import { addService } from '../../tests/support/people.ts';

const { db, as } = await testDatabase();
/** The sitemaps.org limit. */
const perFile = 50_000;
const appUrl = 'https://italk.example';

test('lists only public pages from the database', async () => {
  await addService(db, { id: 'not-offered', durationMinutes: 60, priceCents: 1, active: false });
  const at = new Date('2026-02-01T10:00:00Z');
  const resource = (id: string, status: string) => ({
    id,
    title: 'A path',
    author: 'Somebody',
    type: 'book',
    category: 'grief-support',
    description: 'Words',
    form: 'article',
    status,
    created_at: at,
    updated_at: at,
    published_at: at,
  });
  const published = '0190a0a0-0000-7000-8000-000000000001';
  const draft = '0190a0a0-0000-7000-8000-000000000002';
  await db
    .insertInto('resources')
    .values([resource(published, 'published'), resource(draft, 'draft')] as never)
    .execute();
  const paths = (await listedPages(as({ kind: 'guest' }))).map(({ path }) => path);
  expect(paths).toContain('/service/grief');
  expect(paths).not.toContain('/service/not-offered');
  expect(paths).toContain(`/resources/${published}`);
  expect(paths).not.toContain(`/resources/${draft}`);
  expect(new Set(paths).size).toBe(paths.length);
});

test('is a single file, or an index of several when too long', () => {
  const pages = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ path: `/resources/${n}`, changed: null }));
  expect([...sitemapFiles(pages(perFile), appUrl).keys()]).toEqual(['/sitemap.xml']);
  const several = sitemapFiles(pages(2 * perFile + 1), appUrl);
  expect([...several.keys()]).toEqual(['/sitemap.xml', '/sitemap-1.xml', '/sitemap-2.xml', '/sitemap-3.xml']);
  const locations = (path: string) => several.get(path)!.match(/<loc>/g)!.length;
  expect(several.get('/sitemap.xml')).toContain(`<loc>${appUrl}/sitemap-3.xml</loc>`);
  expect(['/sitemap-1.xml', '/sitemap-2.xml', '/sitemap-3.xml'].map(locations)).toEqual([
    perFile,
    perFile,
    1,
  ]);
});

test('includes the last change where known', () => {
  const changed = new Date('2026-03-02T23:30:00Z');
  const [file] = sitemapFiles([{ path: '/', changed }], appUrl).values();
  expect(file).toContain(`<url><loc>${appUrl}/</loc><lastmod>2026-03-02</lastmod></url>`);
});
