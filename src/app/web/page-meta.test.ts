import { expect, test } from 'vitest';
import type { PublicSite } from '#/features/settings/contract.ts';
import { pageMeta } from './page-meta.ts';

const head = { site: { siteName: 'iTalk Health' } as PublicSite, appUrl: 'https://italk.example' };

test.each([
  ['/', 'site'],
  ['/service/grief', 'service-grief'],
  ['/service/added-later', 'site'],
  ['/devotional/03-02', 'devotional'],
  ['/resources/0190a0a0-0000-7000-8000-000000000001', 'resources'],
])('a person who shares %s shows the picture “%s”', (path, card) => {
  const entries = pageMeta(head, { title: 'A title', description: 'Words', path });
  const of = (property: string) =>
    entries.find((entry) => 'property' in entry && entry.property === property) as { content: string };
  expect(of('og:image').content).toBe(`https://italk.example/cards/${card}.png`);
  expect([of('og:image:width').content, of('og:image:height').content]).toEqual(['1200', '630']);
  expect(of('og:image:alt').content).toMatch(/\w/);
  expect(entries).toContainEqual({ name: 'twitter:card', content: 'summary_large_image' });
});
