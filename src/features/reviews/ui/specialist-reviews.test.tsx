import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const recorded = recordedFor('guest');
const reviewed = recorded['providers.list'].find(({ name }) => name === 'Dr. Sarah Whitfield')!;

const card = page.getByRole('article').filter({ hasText: reviewed.name });

async function openCard(answers: Readonly<Record<string, unknown>>): Promise<void> {
  await openPage('/therapists', { answers: { 'specialistSearch.nextStarts': [], ...answers } });
  await card.getByText(`About ${reviewed.name}`, { exact: true }).click();
  await card.getByText('What clients say').click();
}

test('shows client reviews, and passes accessibility checks', async () => {
  await openCard({});
  await expect.element(card.getByRole('figure').first()).toBeVisible();
  await expectFair('what clients say');
});

test('reports a loading error and retries', async () => {
  await openCard({ 'reviews.ofProvider': unreachable });
  await expect.element(card.getByRole('alert')).toMatchTextContent('We couldn’t load the reviews');
  await expectFair('reviews that couldn’t be loaded');
  answer({ 'reviews.ofProvider': [] });
  await card.getByRole('button', { name: 'Try again' }).click();
  await expect.element(card).toMatchTextContent('No written reviews yet.');
});

test('shows the rating, name, place and service of each review on the landing page', async () => {
  await openPage('/');
  for (const { name, place, service, rating, text } of recorded['reviews.featured']) {
    const story = page.getByRole('listitem').filter({ hasText: text });
    for (const said of [`${rating} out of 5 stars`, name, `${place} · ${service.title}`])
      await expect.element(story).toMatchTextContent(said);
  }
});
