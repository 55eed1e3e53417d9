import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient, addProvider } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { evenings, seen, serviceActs } from '../../../tests/support/services.ts';
import { addService, editService, removeService, setServiceActive } from './commands.ts';
import type { ManagedService } from './contract.ts';
import { managedServices, service, services } from './queries.ts';
import { serviceLimits } from './rules.ts';

const database = await testDatabase({ now: '2026-02-16T12:00:00Z', poolSize: 12 });
const { db, as } = database;
const guest = as({ kind: 'guest' });
const admin = as({ ...(await addClient(db)), role: 'super_admin' });
const other = as({ ...(await addClient(db)), role: 'super_admin' });

const acts = (serviceId: string) => serviceActs(db, serviceId);

describe('an added service', () => {
  test('gets an id, a page and the last position, and is logged', async () => {
    database.setNow('2026-02-17T09:00:00Z');
    const added = await addService(admin, evenings({ title: 'Family Café', priceCents: 0 }));
    expect(added).toEqual({
      id: 'family-cafe',
      title: 'Family Café',
      category: 'Strengthening Bonds',
      description: 'Three evenings for two.',
      durationMinutes: 75,
      priceCents: 0,
      lengthPrices: [],
      active: true,
      createdAt: '2026-02-17T09:00:00Z',
      version: 1,
    });
    expect((await services(guest)).at(-1)).toMatchObject({ id: 'family-cafe', title: 'Family Café' });
    expect(await service(guest, 'family-cafe')).toMatchObject({
      supportOffered: '',
      issuesAddressed: [],
      spiritualThemes: [],
      relatedResources: [],
    });
    expect((await managedServices(admin)).at(-1)).toEqual(added);
    expect(await acts(added.id)).toEqual([
      ['service.added', { serviceId: 'family-cafe', minutes: 75, priceCents: 0 }],
    ]);
  });

  test('needs a unique name ignoring case, even when added concurrently', async () => {
    const input = evenings();
    const ends = await Promise.allSettled([
      addService(admin, input),
      addService(other, { ...input, title: input.title.toUpperCase() }),
    ]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'invalid', fields: [{ field: 'title', reason: 'taken' }] },
    });
  });

  test('is stored once if added again after a lost answer', async () => {
    const input = evenings({ lengthPrices: [{ minutes: 90, priceCents: 10_000 }] });
    const added = await addService(admin, input);
    expect(await addService(admin, input)).toEqual(added);
    expect(await acts(added.id)).toHaveLength(1);
    const edited = await editService(admin, { ...input, priceCents: 1, ...seen(added) });
    const again = addService(admin, { ...input, priceCents: 1 });
    expect(await refusalOf(again)).toMatchObject({ fields: [{ field: 'title', reason: 'taken' }] });
    await removeService(admin, seen(edited));
  });

  test('fails beyond the maximum', { tags: ['long'] }, async () => {
    const free = serviceLimits.services - (await managedServices(admin)).length;
    const added: ManagedService[] = [];
    for (let count = 0; count < free; count += 1) added.push(await addService(admin, evenings()));
    expect(await refusalOf(addService(admin, evenings()))).toMatchObject({ reason: 'services_full' });
    for (const one of added) await removeService(admin, seen(one));
  });
});

describe('a changed service', () => {
  test('isn’t overwritten: the second of two concurrent edits fails', async () => {
    const added = await addService(admin, evenings());
    const ends = await Promise.allSettled([
      editService(admin, { ...evenings(), ...seen(added) }),
      editService(other, { ...evenings(), ...seen(added) }),
      setServiceActive(other, { ...seen(added), active: false }),
    ]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends.filter(({ status }) => status === 'rejected'))
      expect(end).toMatchObject({ reason: { code: 'conflict', reason: 'changed' } });
    expect(await acts(added.id)).toHaveLength(2);
  });

  test('accepts a change repeated after a lost answer, once', async () => {
    const added = await addService(admin, evenings());
    const change = { ...evenings(), ...seen(added) };
    const edited = await editService(admin, change);
    expect(await editService(admin, change)).toEqual(edited);
    const inactive = await setServiceActive(admin, { ...seen(edited), active: false });
    expect(await setServiceActive(admin, { ...seen(edited), active: false })).toEqual(inactive);
    expect((await acts(added.id)).map(([action]) => action)).toEqual([
      'service.added',
      'service.edited',
      'service.deactivated',
    ]);
  });

  test('has one price per duration, unchanged unless given', async () => {
    const added = await addService(admin, evenings());
    const lengthPrices = [{ minutes: 90, priceCents: 10_000 }];
    const set = await editService(admin, { ...evenings(), lengthPrices, ...seen(added) });
    expect(set.lengthPrices).toEqual(lengthPrices);
    expect((await acts(added.id)).at(-1)![1]).toMatchObject({
      title: 'changed',
      lengthPrices: 'none → 90 min: 10000',
    });
    const kept = await editService(admin, { ...evenings(), ...seen(set) });
    expect(kept.lengthPrices).toEqual(lengthPrices);
    for (const minutes of [90, 75]) {
      const twice = [...lengthPrices, { minutes, priceCents: 1 }];
      expect(
        await refusalOf(editService(admin, { ...evenings(), lengthPrices: twice, ...seen(kept) })),
      ).toMatchObject({ code: 'invalid', fields: [{ field: 'lengthPrices', reason: 'repeated' }] });
    }
  });

  test('returns not_found if it doesn’t exist', async () => {
    const wish = { serviceId: 'nothing', version: 1 };
    for (const attempt of [
      () => editService(admin, { ...evenings(), ...wish }),
      () => setServiceActive(admin, { ...wish, active: true }),
      () => removeService(admin, wish),
    ])
      expect(await refusalOf(attempt())).toMatchObject({ code: 'not_found', reason: 'service' });
  });
});

describe('a deleted service', () => {
  test('is removed, from its specialists too', async () => {
    const added = await addService(admin, evenings());
    const provider = await addProvider(db, { services: [added.id] });
    await removeService(admin, seen(added));
    expect((await managedServices(admin)).map(({ id }) => id)).not.toContain(added.id);
    const [row] = await db
      .selectFrom('provider_services')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('provider_id', '=', provider.id)
      .execute();
    expect(row!.count).toBe(0);
    expect((await acts(added.id)).at(-1)).toEqual(['service.deleted', { serviceId: added.id }]);
  });
});

test('requires permission to manage services', async () => {
  const client = as(await addClient(db));
  const wish = { serviceId: 'grief', version: 1 };
  for (const attempt of [
    () => addService(client, evenings()),
    () => editService(client, { ...evenings(), ...wish }),
    () => setServiceActive(client, { ...wish, active: false }),
    () => removeService(client, wish),
  ])
    expect(await refusalOf(attempt())).toMatchObject({ code: 'forbidden' });
});
