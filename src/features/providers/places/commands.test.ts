import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { requireSpecialistPage } from '../policies.ts';
import { requirePractice } from '../practice/policies.ts';
import { addPlace, closePlace, editPlace, orderPlaces } from './commands.ts';
import { ownPlaces } from './queries.ts';
import { placeLimits } from '../practice/rules.ts';

const { db, as } = await testDatabase();
const guest = as({ kind: 'guest' });

let doctor: Person;
beforeEach(async () => {
  doctor = await addProvider(db);
});

const words = (name: string, town = 'Chicago, IL') => ({
  name,
  address: `${name}, Elm Street`,
  town,
  directions: '',
});
const add = (name: string, town?: string) => addPlace(as(doctor), words(name, town));
const mine = async (who = doctor) => ownPlaces(as(who), await requirePractice(as(who)));
const names = async () => (await mine()).map(({ name }) => name);
const towns = async () => (await requireSpecialistPage(guest, `doctor-${doctor.id}`)).towns;

describe('a place', () => {
  test('is stored as entered, after the others', async () => {
    await add('First');
    const place = await addPlace(as(doctor), {
      ...words('Second'),
      directions: 'The green door.\nRing twice.',
      coordinates: { latitude: -33.87, longitude: 151.21 },
    });
    expect(await mine()).toMatchObject([
      { name: 'First', coordinates: null },
      { ...place, directions: 'The green door.\nRing twice.', closed: false },
    ]);
    const changed = await editPlace(as(doctor), place.id, words('Third', 'Aurora, IL'));
    expect(changed).toMatchObject({ id: place.id, name: 'Third', coordinates: null });
  });

  test('shows guests only its town, without duplicates, while it’s open', async () => {
    const first = await add('First', 'Aurora, IL');
    await add('Second');
    await add('Third');
    expect(await towns()).toEqual(['Aurora, IL', 'Chicago, IL']);
    await closePlace(as(doctor), first.id, true);
    expect(await towns()).toEqual(['Chicago, IL']);
    expect(JSON.stringify(await requireSpecialistPage(guest, `doctor-${doctor.id}`))).not.toContain(
      'Elm Street',
    );
    await closePlace(as(doctor), first.id, false);
    expect(await towns()).toEqual(['Aurora, IL', 'Chicago, IL']);
  });

  test('keeps its order, closed ones last, and rejects incomplete orders', async () => {
    const [one, two, three] = [await add('One'), await add('Two'), await add('Three')];
    await orderPlaces(as(doctor), [three.id, one.id, two.id]);
    expect(await names()).toEqual(['Three', 'One', 'Two']);
    await closePlace(as(doctor), three.id, true);
    expect(await names()).toEqual(['One', 'Two', 'Three']);
    const stranger = await addPlace(as(await addProvider(db)), words('Elsewhere'));
    for (const wrong of [[one.id], [one.id, one.id], [one.id, two.id, three.id], [one.id, stranger.id], []])
      await expect(orderPlaces(as(doctor), wrong)).rejects.toMatchObject({ reason: 'not_all' });
    expect(await names()).toEqual(['One', 'Two', 'Three']);
  });

  test('is added once per id, and never over another provider’s', async () => {
    const placeId = newId();
    const adding = () => addPlace(as(doctor), { placeId, ...words('First') });
    await Promise.all([adding(), adding()]);
    await addPlace(as(doctor), { placeId, ...words('First', 'Aurora, IL') });
    expect(await mine()).toMatchObject([{ id: placeId, name: 'First', town: 'Aurora, IL' }]);
    const other = await addProvider(db);
    const attempt = addPlace(as(other), { placeId, ...words('Theirs') });
    await expect(attempt).rejects.toMatchObject({ code: 'not_found', reason: 'place' });
    expect(await mine(other)).toEqual([]);
    expect(await mine()).toMatchObject([{ town: 'Aurora, IL' }]);
  });

  test('can’t be changed by others', async () => {
    const { id } = await add('Mine');
    const others = [await addProvider(db), await addClient(db)];
    for (const other of others) {
      const code = other === others[0] ? 'not_found' : 'forbidden';
      await expect(editPlace(as(other), id, words('Theirs'))).rejects.toMatchObject({ code });
      await expect(closePlace(as(other), id, true)).rejects.toMatchObject({ code });
    }
    await expect(addPlace(guest, words('Nobody’s'))).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await mine()).toMatchObject([{ name: 'Mine', closed: false }]);
  });

  test('is refused beyond the maximum, even when added concurrently', { tags: ['long'] }, async () => {
    for (let number = 2; number < placeLimits.places; number += 1) await add(`Place ${number}`);
    const ends = await Promise.allSettled([add('A'), add('B'), add('C'), add('D')]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await mine()).toHaveLength(placeLimits.places);
  });
});
