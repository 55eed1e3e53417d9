import { beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '#/kernel/actor.ts';
import { createAccount } from '#/features/accounts/commands.ts';
import { changeSettings } from '#/features/settings/commands.ts';
import { pagesChannel } from '#/platform/realtime/publish.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { noticesDuring } from '../../../../tests/support/outbox.ts';
import { providersContract } from '../contract.ts';
import { requireSpecialist } from '../policies.ts';
import { listSpecialists } from '../queries.ts';
import { createProvider, type NewProvider } from './commands.ts';

const { db, url, as } = await testDatabase();
const system = as({ kind: 'system' });
const guest = as({ kind: 'guest' });
const person = (role: 'super_admin' | 'client'): Actor => ({
  kind: 'person',
  id: system.newId(),
  role,
  sessionId: system.newId(),
});

let accounts = 0;
async function account(name: string): Promise<string> {
  const email = `person${++accounts}@example.org`;
  return createAccount(system, { email, name, role: 'client', emailVerified: true });
}

function entry(userId: string, changes: Partial<NewProvider> = {}): NewProvider {
  return {
    userId,
    kind: 'doctor',
    title: 'Psychologist',
    specialties: ['Anxiety', 'Grief'],
    experience: '10 years',
    location: 'Chicago, IL',
    bio: 'Listens.',
    education: ['PsyD'],
    approach: 'Gentle',
    languages: ['English'],
    traditions: ['SDA'],
    faithPart: 'as_you_wish',
    sessionTypes: ['online', 'phone', 'in-person'],
    phone: null,
    timeZone: 'America/Chicago',
    approvesFirst: false,
    serviceIds: ['spiritual', 'grief'],
    ...changes,
  };
}

describe('createProvider', () => {
  let ann: string;
  let bea: string;
  beforeAll(async () => {
    ann = await account('Ann');
    bea = await account('Bea');
    await createProvider(system, entry(ann));
    await createProvider(
      as(person('super_admin')),
      entry(bea, { kind: 'pastor', serviceIds: ['grief', 'grief'] }),
    );
  });

  it('sets the role, lists the provider last and logs the action', async () => {
    const roles = await db
      .selectFrom('profiles')
      .select(['id', 'role'])
      .where('id', 'in', [ann, bea])
      .execute();
    expect(new Map(roles.map(({ id, role }) => [id, role]))).toEqual(
      new Map([
        [ann, 'doctor'],
        [bea, 'pastor'],
      ]),
    );
    const listed = await listSpecialists(guest, { limit: 50 });
    expect(listed.map(({ name }) => name)).toEqual(['Ann', 'Bea']);
    providersContract.list['~orpc'].outputSchema!.parse(listed);
    // In catalogue order, without duplicates.
    expect(listed.map(({ serviceIds }) => serviceIds)).toEqual([['grief', 'spiritual'], ['grief']]);
    const filed = await db
      .selectFrom('audit_entries')
      .select(['subject_id', 'category', 'actor_kind'])
      .where('action', '=', 'provider.created')
      .orderBy('id')
      .execute();
    expect(filed).toEqual([
      { subject_id: ann, category: 'provider_approval', actor_kind: 'system' },
      { subject_id: bea, category: 'provider_approval', actor_kind: 'person' },
    ]);
  });

  it('lists a service’s providers up to a limit, excluding unlisted ones', async () => {
    expect((await listSpecialists(guest, { serviceId: 'spiritual', limit: 50 })).map(({ id }) => id)).toEqual(
      [ann],
    );
    expect((await listSpecialists(guest, { limit: 1 })).map(({ id }) => id)).toEqual([ann]);
    await db.updateTable('providers').set({ listed: false }).where('id', '=', ann).execute();
    expect((await listSpecialists(guest, { limit: 50 })).map(({ id }) => id)).toEqual([bea]);
    await expect(requireSpecialist(guest, ann)).rejects.toMatchObject({ code: 'not_found' });
    await db.updateTable('providers').set({ listed: true }).where('id', '=', ann).execute();
  });

  it('omits services not offered to anyone', async () => {
    await db.updateTable('services').set({ active: false }).where('id', '=', 'spiritual').execute();
    expect((await requireSpecialist(guest, ann)).serviceIds).toEqual(['grief']);
    await db.updateTable('services').set({ active: true }).where('id', '=', 'spiritual').execute();
  });

  it('requires permission to manage providers', async () => {
    const carl = await account('Carl');
    await expect(createProvider(as(person('client')), entry(carl))).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(createProvider(guest, entry(carl))).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it.each([
    ['an unknown zone', { timeZone: 'Mars/Olympus' }, 'unknown_zone'],
    ['an unknown service', { serviceIds: ['grief', 'nothing'] }, 'unknown_service'],
  ])('refuses %s and stores nothing', async (_, changes, reason) => {
    const dora = await account('Dora');
    await expect(createProvider(system, entry(dora, changes))).rejects.toMatchObject({
      code: 'invalid',
      reason,
    });
    const { role } = await db
      .selectFrom('profiles')
      .select('role')
      .where('id', '=', dora)
      .executeTakeFirstOrThrow();
    expect(role).toBe('client');
    await expect(requireSpecialist(guest, dora)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('refuses non-clients and missing accounts', async () => {
    await expect(createProvider(system, entry(bea))).rejects.toMatchObject({ reason: 'not_a_client' });
    await expect(createProvider(system, entry(system.newId()))).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('clears page caches in every process on directory changes, but not on refusals', async () => {
  const id = await account('Zoe');
  const during = (work: () => Promise<unknown>) => noticesDuring(url, [pagesChannel], work);
  const cleared = [{ channel: pagesChannel, payload: '' }];
  expect(await during(() => createProvider(system, entry(id)))).toEqual(cleared);
  expect(await during(() => createProvider(system, entry(id)).catch(() => undefined))).toEqual([]);
  expect(await during(() => changeSettings(system, { siteName: 'Another name' }))).toEqual(cleared);
});
