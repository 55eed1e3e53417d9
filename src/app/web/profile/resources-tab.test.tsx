import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const path = '/profile?tab=resources';
const [first, second] = recordedFor('client')['resources.mine'].items;
const listing = (got: unknown[], favourites: unknown[]) => ({
  'resources.mine': ({ kept }: { kept: string }) => ({
    items: kept === 'got' ? got : favourites,
    next: null,
  }),
});

const none = page.getByRole('heading', { name: 'No resources yet' });

test('links to the library while there are no resources', async () => {
  await openPage(path, { as: 'client', answers: listing([], []) });
  await expect.element(none).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'Explore Resources' }))
    .toHaveAttribute('href', '/resources');
  await expectFair('no resources of one’s own');
});

test('lists resources apart from favorites, and removes a favorite', async () => {
  await openPage(path, {
    as: 'client',
    answers: { ...listing([first], [second]), 'resources.favourite': { favourite: false } },
  });
  const got = page.getByRole('region', { name: 'Your resources' });
  const favourites = page.getByRole('region', { name: 'Your favorites' });
  await expect.element(got.getByRole('heading', { name: first!.title })).toBeVisible();
  await expect.element(favourites.getByRole('heading', { name: second!.title })).toBeVisible();
  await expectFair('My Resources');
  answer(listing([], []));
  await favourites.getByRole('button', { name: /^Remove .* from favorites/ }).click();
  await expect.element(none).toBeVisible();
});

test('shows a retry when resources can’t be loaded', { tags: ['long'] }, async () => {
  await openPage(path, { as: 'client', answers: { 'resources.mine': unreachable } });
  const again = page.getByRole('button', { name: 'Try again' });
  await expect.element(again.first()).toBeVisible();
  await expectFair('My Resources that can’t be loaded');
  answer(listing([first], [second]));
  await again.first().click();
  await expect.element(page.getByRole('heading', { name: first!.title })).toBeVisible();
});
