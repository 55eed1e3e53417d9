import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import type { OwnPlace } from '../places/contract.ts';

const place = (number: number, name: string): OwnPlace => ({
  id: `01a20ca3-0000-7000-8000-00000000000${number}`,
  name,
  address: '12 Elm Street',
  town: 'Boston, MA',
  directions: '',
  coordinates: null,
  closed: false,
});
const practice = place(1, 'The practice');
const parish = place(2, 'The parish house');

const places = page.getByRole('tabpanel', { name: 'Places' });
const add = places.getByRole('button', { name: 'Add a place' });
const dialog = page.getByRole('dialog', { name: 'Add a place' });
const save = dialog.getByRole('button', { name: 'Save place' });

async function openPlaces(list: readonly OwnPlace[]): Promise<void> {
  await openPage('/practice?tab=places', { as: 'doctor', answers: { 'providers.places.list': list } });
}

test(
  'shows an empty state, and rejects an invalid latitude when adding a place',
  { tags: ['long'] },
  async () => {
    await openPlaces([]);
    await expect.element(places).toMatchTextContent('No places yet');
    await add.click();
    await dialog.getByLabelText('Name').fill(practice.name);
    await dialog.getByLabelText('Address').fill(practice.address);
    await dialog.getByLabelText('City').fill(practice.town);
    await dialog.getByLabelText('Latitude').fill('99');
    await save.click();
    await expect.element(dialog.getByLabelText('Latitude')).toHaveFocus();
    await dialog.getByLabelText('Latitude').fill('42.36');
    await dialog.getByLabelText('Longitude').fill('-71.06');
    await pressWith(save, { 'providers.places.add': practice, 'providers.places.list': [practice] });
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(places.getByRole('article', { name: practice.name })).toBeVisible();
    await expect
      .poll(() => askedFor('providers.places.add'))
      .toMatchObject([{ coordinates: { latitude: 42.36, longitude: -71.06 } }]);
  },
);

test('adds one place when its answer was lost', async () => {
  await openPlaces([]);
  await pressWith(add, { 'providers.places.add': unreachable });
  await dialog.getByLabelText('Name').fill(practice.name);
  await dialog.getByLabelText('Address').fill(practice.address);
  await dialog.getByLabelText('City').fill(practice.town);
  await save.click();
  await expect.element(dialog).toMatchTextContent('We couldn’t reach the server');
  await pressWith(save, { 'providers.places.add': practice, 'providers.places.list': [practice] });
  await expect.element(dialog).not.toBeInTheDocument();
  const [first, again] = askedFor('providers.places.add') as { placeId: string }[];
  expect(first!.placeId).toMatch(/^[\da-f-]{36}$/);
  expect(again!.placeId).toBe(first!.placeId);
});

test('moves a place up and keeps focus on its button', async () => {
  await openPlaces([practice, parish]);
  answer({ 'providers.places.order': [parish, practice] });
  const up = places.getByRole('button', { name: 'Move up The parish house' });
  await up.click();
  await expect.element(places.getByRole('article').first()).toMatchTextContent('The parish house');
  await expect.element(up).toHaveFocus();
  await expect
    .poll(() => askedFor('providers.places.order'))
    .toEqual([{ placeIds: [parish.id, practice.id] }]);
});

test('asks before closing a place, and reopens it immediately', async () => {
  await openPlaces([practice]);
  const closed = { ...practice, closed: true };
  await places.getByRole('button', { name: 'Close The practice' }).click();
  expect(askedFor('providers.places.close')).toEqual([]);
  await pressWith(page.getByRole('alertdialog').getByRole('button', { name: 'Close' }), {
    'providers.places.close': closed,
    'providers.places.list': [closed],
  });
  await expect.element(places.getByRole('heading', { name: 'Closed places' })).toBeVisible();
  await pressWith(places.getByRole('button', { name: 'Reopen The practice' }), {
    'providers.places.close': practice,
    'providers.places.list': [practice],
  });
  await expect.element(places.getByRole('heading', { name: 'Closed places' })).not.toBeInTheDocument();
});

test('passes accessibility checks', async () => {
  await openPlaces([practice, { ...parish, closed: true }]);
  await expect.element(add).toBeVisible();
  await expectFair('places');
  await add.click();
  await save.click();
  await expect.element(dialog.getByLabelText('Name')).toHaveFocus();
  await expectFair('a place with problems');
});

test('opens the dialog by keyboard from the tabs', async () => {
  await openPlaces([]);
  await tabTo(page.getByRole('tab', { name: 'Places' }));
  await press(add);
  await expect.element(dialog).toBeVisible();
});
