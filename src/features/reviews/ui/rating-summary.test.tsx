import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';

const summary = page.getByRole('region', { name: 'Your rating' });

test('shows the average rating, and how many reviews gave each number of stars', async () => {
  await openPage('/reviews', { as: 'doctor', answers: { 'reviews.ratings': { counts: [1, 0, 0, 2, 5] } } });
  await expect.element(summary).toMatchTextContent('8 reviews');
  await expect.element(summary).toMatchTextContent('4.3 out of 5 stars');
  await expect
    .poll(() =>
      summary
        .getByRole('listitem')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(['5 stars5', '4 stars2', '3 stars0', '2 stars0', '1 star1']);
  await expect
    .element(summary.getByRole('link', { name: 'Ratings month by month' }))
    .toHaveAttribute('href', '/insights');
  await expectFair('the reviews with their summary');
});

test('rounds the average as the public page does', async () => {
  await openPage('/reviews', { as: 'doctor', answers: { 'reviews.ratings': { counts: [0, 0, 2, 9, 9] } } });
  await expect.element(summary).toMatchTextContent('4.4 out of 5 stars');
});

test('shows nothing before the first review', async () => {
  await openPage('/reviews', {
    as: 'doctor',
    answers: { 'reviews.ratings': { counts: [0, 0, 0, 0, 0] }, 'reviews.received': [] },
  });
  await expect.element(page.getByText(/appear here once they’re published/)).toBeVisible();
  await expect.element(summary).not.toBeInTheDocument();
});
