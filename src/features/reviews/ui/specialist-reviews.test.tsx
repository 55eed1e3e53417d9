import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectFair } from '../../../../tests/components/fair.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const recorded = recordedFor('guest');
const [written] = recorded['reviews.ofProvider'];
const section = page.getByRole('region', { name: 'Reviews' });

test('shows client reviews, and more on request', async () => {
  const all = Array.from({ length: 14 }, (_, index) => ({
    ...written!,
    id: `01a20ca3-97f5-75c9-83f9-7188b4f0d${100 + index}`,
    text: `Review ${index + 1}.`,
  }));
  const ofProvider = ({ offset, limit }: { offset: string; limit: string }) =>
    all.slice(Number(offset), Number(offset) + Number(limit));
  await openPage('/therapists/dr-sarah-whitfield', { answers: { 'reviews.ofProvider': ofProvider } });
  await expect.element(section.getByRole('figure')).toHaveLength(6);
  await expectFair('a specialist’s reviews');
  const more = section.getByRole('link', { name: 'Show more reviews' });
  await more.click();
  await expect.element(section.getByRole('figure')).toHaveLength(12);
  await expect.poll(address).toBe('/therapists/dr-sarah-whitfield?reviews=2#reviews-2');
  await more.click();
  await expect.element(section.getByRole('figure').last()).toMatchTextContent('Review 14.');
  await expect.element(more).not.toBeInTheDocument();
  await expect.element(section).toMatchTextContent('50 more clients left a rating only.');
});

test('says so when ratings have no words', async () => {
  await openPage('/therapists/dr-sarah-whitfield', { answers: { 'reviews.ofProvider': [] } });
  await expect.element(section).toMatchTextContent('No written reviews yet.');
});

test('shows the rating, name, place and service of each review on the landing page', async () => {
  await openPage('/');
  for (const { name, place, service, rating, text } of recorded['reviews.featured']) {
    const story = page.getByRole('listitem').filter({ hasText: text });
    for (const said of [`${rating} out of 5 stars`, name, `${place} · ${service.title}`])
      await expect.element(story).toMatchTextContent(said);
  }
});
