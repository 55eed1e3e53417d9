import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addAdministrator, addClient, addProvider } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { approveCredential, submitCredential } from './credentials/commands.ts';
import { providerStatus } from './queries.ts';

const { db, as } = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const admin = as(await addAdministrator(db));

test('returns a provider’s listing and licenses, with their numbers', async () => {
  const provider = await addProvider(db);
  const license = {
    kind: 'licence',
    number: 'PSY 1',
    issuer: 'Board of Psychology',
    region: 'New York',
    expiresOn: '2027-06-30',
  } as const;
  const { id } = await submitCredential(as(provider), license);
  await approveCredential(admin, id);
  await submitCredential(as(provider), { ...license, number: 'PSY 2', replaces: id });
  expect(await providerStatus(admin, provider.id)).toMatchObject({
    listing: { slug: `doctor-${provider.id}`, listed: true, revokedAt: null },
    credentials: [
      { number: 'PSY 1', state: 'approved', expired: false },
      { number: 'PSY 2', state: 'pending' },
    ],
    application: null,
  });
});

test('returns nothing for clients, and is closed to everyone but administrators', async () => {
  const client = await addClient(db);
  expect(await providerStatus(admin, client.id)).toEqual({
    listing: null,
    credentials: [],
    application: null,
  });
  for (const stranger of [as(client), as(await addProvider(db))])
    expect(await refusalOf(providerStatus(stranger, client.id))).toMatchObject({ code: 'forbidden' });
  expect(await refusalOf(providerStatus(admin, newId()))).toMatchObject({ code: 'not_found' });
});
