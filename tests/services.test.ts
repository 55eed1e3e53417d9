import { describe, expect, test } from 'vitest';
import type { AppError } from '#/kernel/errors.ts';
import { selfOf } from '#/features/access/rules.ts';
import { book } from '#/features/appointments/booking/commands.ts';
import { myAppointments } from '#/features/appointments/appointment/queries.ts';
import { addService, editService, removeService, setServiceActive } from '#/features/catalogue/commands.ts';
import { service, services } from '#/features/catalogue/queries.ts';
import { listSpecialists, specialistsPerService } from '#/features/providers/queries.ts';
import { bookInputFor } from './support/booking.ts';
import { testDatabase } from './support/database.ts';
import { addClient, addProvider, type Person } from './support/people.ts';
import { refusalOf } from './support/refusal.ts';
import { evenings, seen, serviceActs } from './support/services.ts';
import { blockedConnections } from './support/locks.ts';

const { db, as } = await testDatabase({ now: '2026-02-16T12:00:00Z', poolSize: 12 });
const guest = as({ kind: 'guest' });
const admin = as({ ...(await addClient(db)), role: 'super_admin' });

const acts = (serviceId: string) => serviceActs(db, serviceId);

let day = 0;
async function booked(provider: Person, serviceId: string, durationMinutes = 75) {
  day += 7;
  const client = await addClient(db);
  const startsAt = Temporal.Instant.from('2026-02-24T15:00:00Z')
    .add({ hours: day * 24 })
    .toString();
  const { appointments } = await book(
    as(client),
    bookInputFor(provider.id, serviceId, startsAt, { durationMinutes }),
  );
  return { client, appointment: appointments[0]! };
}

describe('an added service', () => {
  test('is booked at its own length and price, and counts its providers', async () => {
    const added = await addService(admin, evenings());
    const provider = await addProvider(db, { services: [added.id] });
    expect(await specialistsPerService(admin)).toContainEqual({ serviceId: added.id, specialists: 1 });
    const { appointment } = await booked(provider, added.id);
    expect(appointment).toMatchObject({ durationMinutes: 75, priceCents: 9_000, service: { id: added.id } });
  });
});

describe('a changed service', () => {
  test('applies to new bookings; existing ones keep their length and price', async () => {
    const added = await addService(admin, evenings());
    const provider = await addProvider(db, { services: [added.id] });
    const { client, appointment } = await booked(provider, added.id);
    const changed = await editService(admin, {
      ...evenings({ durationMinutes: 80, priceCents: 12_000 }),
      ...seen(added),
    });
    expect(changed).toMatchObject({ id: added.id, durationMinutes: 80, priceCents: 12_000, version: 2 });
    const [kept] = await myAppointments(as(client), selfOf(as(client)), {
      from: '2026-02-16T12:00:00Z',
      to: '2027-02-16T12:00:00Z',
      limit: 10,
    });
    expect(kept).toMatchObject({ id: appointment.id, durationMinutes: 75, priceCents: 9_000 });
    expect(await refusalOf(booked(provider, added.id, 75))).toMatchObject({
      fields: [{ field: 'durationMinutes', reason: 'not_offered' }],
    });
    expect((await booked(provider, added.id, 80)).appointment).toMatchObject({ priceCents: 12_000 });
    expect((await acts(added.id)).at(-1)).toEqual([
      'service.edited',
      {
        serviceId: added.id,
        title: 'changed',
        durationMinutes: '75 → 80',
        priceCents: '9000 → 12000',
      },
    ]);
  });
});

describe('an inactive service', () => {
  test('is hidden and can’t be booked; existing bookings keep its name', async () => {
    const added = await addService(admin, evenings());
    const provider = await addProvider(db, { services: [added.id] });
    const { client } = await booked(provider, added.id);
    const inactive = await setServiceActive(admin, { ...seen(added), active: false });
    expect((await services(guest)).map(({ id }) => id)).not.toContain(added.id);
    expect(await refusalOf(service(guest, added.id))).toMatchObject({ code: 'not_found' });
    expect((await listSpecialists(guest, { limit: 100 })).find(({ id }) => id === provider.id)).toMatchObject(
      {
        serviceIds: [],
      },
    );
    expect(await refusalOf(booked(provider, added.id))).toMatchObject({
      fields: [{ field: 'serviceId', reason: 'not_offered' }],
    });
    const own = await myAppointments(as(client), selfOf(as(client)), {
      from: '2026-02-16T12:00:00Z',
      to: '2027-02-16T12:00:00Z',
      limit: 10,
    });
    expect(own).toMatchObject([{ status: 'confirmed', service: { title: added.title } }]);
    await setServiceActive(admin, { ...seen(inactive), active: true });
    await booked(provider, added.id);
    expect((await acts(added.id)).map(([action]) => action)).toEqual([
      'service.added',
      'service.deactivated',
      'service.activated',
    ]);
  });
});

describe('deleting a service', () => {
  test('is refused while an appointment uses it, and logs nothing', async () => {
    const added = await addService(admin, evenings());
    const provider = await addProvider(db, { services: [added.id] });
    await booked(provider, added.id);
    const before = await acts(added.id);
    expect(await refusalOf(removeService(admin, seen(added)))).toMatchObject({
      code: 'conflict',
      reason: 'service_in_use',
    });
    expect(await acts(added.id)).toEqual(before);
    expect((await services(guest)).map(({ id }) => id)).toContain(added.id);
  });

  test('fails or makes a concurrent booking fail, so no appointment loses its service', async () => {
    const told = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const added = await addService(admin, evenings());
      const provider = await addProvider(db, { services: [added.id] });
      const ends = await Promise.allSettled([removeService(admin, seen(added)), booked(provider, added.id)]);
      const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as AppError] : []));
      expect(refused).toHaveLength(1);
      told.add(refused[0]!.reason);
    }
    // The loser of the race: the administrator or the client.
    expect(['service_in_use', 'not_offered']).toEqual(expect.arrayContaining([...told]));
  });

  test('during a waiting booking refuses the booking with a clear error', async () => {
    const added = await addService(admin, evenings());
    const provider = await addProvider(db, { services: [added.id] });
    const [deletes, gives] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const removal = db.transaction().execute(async (tx) => {
      await tx.deleteFrom('services').where('id', '=', added.id).execute();
      deletes.resolve();
      await gives.promise;
    });
    await deletes.promise;
    const booking = refusalOf(booked(provider, added.id));
    await expect.poll(() => blockedConnections(db)).toBe(1);
    gives.resolve();
    await removal;
    expect(await booking).toMatchObject({ fields: [{ field: 'serviceId', reason: 'not_offered' }] });
  });
});
