import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient, addProvider, type Person } from '../../../tests/support/people.ts';
import { type ListingInput, providersContract } from './contract.ts';
import { requireSpecialist, requireSpecialistPage } from './policies.ts';
import { requirePractice } from './practice/policies.ts';
import { saveListing } from './commands.ts';
import { listedSlugs, ownListing } from './queries.ts';

const { db, as } = await testDatabase();
const guest = as({ kind: 'guest' });

let doctor: Person;
beforeEach(async () => {
  doctor = await addProvider(db);
});

const written: ListingInput = {
  title: 'Clinical Psychologist',
  specialties: ['Grief', 'Sleep', 'grief'],
  experience: '15 years',
  location: 'Chicago, IL',
  bio: 'Listens.\n\nAnd asks.',
  education: ['PsyD'],
  approach: '',
  languages: ['English'],
  traditions: [],
  faithPart: 'woven_in',
  sessionTypes: ['online', 'phone'],
  serviceIds: ['grief', 'couples'],
  phone: '',
  version: 1,
};
const save = (changes: Partial<ListingInput> = {}) => saveListing(as(doctor), { ...written, ...changes });
const page = () => requireSpecialistPage(guest, `doctor-${doctor.id}`);

describe('saveListing', () => {
  test('stores the public profile with unique keywords under the same URL', async () => {
    const saved = await save();
    providersContract.mine['~orpc'].outputSchema!.parse(saved);
    expect(saved).toMatchObject({ version: 2, specialties: ['Grief', 'Sleep'], phone: '', listed: true });
    const shown = await page();
    providersContract.bySlug['~orpc'].outputSchema!.parse(shown);
    const { version: _version, phone: _phone, ...told } = written;
    // Services come back in catalogue order.
    expect({ ...shown, serviceIds: shown.serviceIds.toReversed() }).toMatchObject({
      ...told,
      specialties: ['Grief', 'Sleep'],
    });
    expect(shown).not.toHaveProperty('phone');
    expect(await requireSpecialist(guest, doctor.id)).toMatchObject({ title: written.title });
    expect(await listedSlugs(guest)).toContain(`doctor-${doctor.id}`);
  });

  test('rejects the second of two concurrent saves', async () => {
    const ends = await Promise.allSettled([save({ title: 'One' }), save({ title: 'Two' })]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = ends.find((end) => end.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'conflict', reason: 'changed' });
    await expect(save({ version: 1 })).rejects.toMatchObject({ reason: 'changed' });
    await save({ version: 2, title: 'Three' });
    expect((await page()).title).toBe('Three');
  });

  test('rejects unknown catalogue values, and keeps ones since removed', async () => {
    await save();
    await db.updateTable('services').set({ active: false }).where('id', '=', 'couples').execute();
    await expect(save({ version: 2 })).rejects.toMatchObject({
      fields: [{ field: 'serviceIds', reason: 'unknown_service' }],
    });
    expect((await save({ version: 2, serviceIds: ['teens'] })).serviceIds).toEqual(['teens']);
    await db.updateTable('services').set({ active: true }).where('id', '=', 'couples').execute();
    expect((await page()).serviceIds.toSorted()).toEqual(['couples', 'teens']);
  });

  test('lets specialists edit only their own profile', async () => {
    const client = await addClient(db);
    await expect(saveListing(as(client), written)).rejects.toMatchObject({ code: 'not_found' });
    await expect(saveListing(guest, written)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(requirePractice(as(client))).rejects.toMatchObject({ code: 'not_found' });
    const other = await addProvider(db);
    await save();
    expect((await ownListing(as(other), await requirePractice(as(other)))).title).toBe('Psychologist');
  });

  test('works for unlisted specialists, who stay hidden', async () => {
    await db.updateTable('providers').set({ listed: false }).where('id', '=', doctor.id).execute();
    expect(await save()).toMatchObject({ listed: false, title: 'Clinical Psychologist' });
    await expect(page()).rejects.toMatchObject({ code: 'not_found' });
    expect(await listedSlugs(guest)).not.toContain(`doctor-${doctor.id}`);
  });

  test('logs which parts changed, without their text', async () => {
    await save();
    const filed = await db
      .selectFrom('audit_entries')
      .select(['action', 'details'])
      .where('subject_id', '=', doctor.id)
      .where('action', '=', 'provider.listing_changed')
      .orderBy('id')
      .execute();
    const changed = 'title specialties experience location bio education faithPart sessionTypes serviceIds';
    expect(filed).toEqual([{ action: 'provider.listing_changed', details: { version: 2, changed } }]);
  });
});
