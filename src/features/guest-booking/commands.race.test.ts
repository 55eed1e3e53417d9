import { afterAll, expect, test } from 'vitest';
import { createAccount } from '#/features/accounts/commands.ts';
import { AppError } from '#/kernel/errors.ts';
import { newId } from '#/platform/clock.ts';
import type { Ctx } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addProvider } from '../../../tests/support/people.ts';
import { asked, askedByMail } from '../../../tests/support/requests.ts';
import { proving } from '../../../tests/support/prove.ts';
import { confirmRequest } from './commands.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z', poolSize: 10 });
const { db, as, url } = database;
// A second pool simulates a second server process: the two share no memory.
const second = connect(url, 10);
afterAll(() => second.db.destroy());
const here = as({ kind: 'guest' });
const processes: Ctx[] = [here, { ...here, db: second.db }];
await db.updateTable('site_settings').set({ allow_guest_booking: true }).execute();

const rounds = proving ? 40 : 4;

/** Returns each attempt's appointment or refusal reason; any other error fails the test. */
async function ends(attempts: readonly Promise<{ appointmentId: string }>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts);
  return settled.map((end) => {
    if (end.status === 'fulfilled') return end.value.appointmentId;
    if (end.reason instanceof AppError) return end.reason.reason;
    throw end.reason;
  });
}

const accountsAt = (email: string) =>
  db.selectFrom('users').select('id').where('email', '=', email).execute();

test('books once and signs in once when a link is used concurrently, even for different times', async () => {
  for (let round = 0; round < rounds; round++) {
    const provider = await addProvider(db);
    const input = await asked(db, provider.id);
    const token = await askedByMail(database, input);
    const starts = [undefined, undefined, '2026-03-09T15:00:00Z', undefined];
    const all = await ends(
      starts.map((startsAt, n) => confirmRequest(processes[n % 2]!, { token, startsAt })),
    );
    expect(all.filter((end) => end === 'link_used')).toHaveLength(3);
    const [booked] = all.filter((end) => end !== 'link_used');
    const sessions = await db
      .selectFrom('appointments')
      .select('id')
      .where('provider_id', '=', provider.id)
      .execute();
    expect(sessions.map(({ id }) => id)).toEqual([booked]);
    expect(await accountsAt(input.contact.email)).toHaveLength(1);
  }
});

test(
  'creates one account for concurrent requests and a sign-up with the same address',
  { tags: ['long'] },
  async () => {
    for (let round = 0; round < rounds; round++) {
      const provider = await addProvider(db);
      const email = `${newId()}@guests.example`;
      const contact = { name: 'Naomi', email, phone: '+1 617 555 0100' };
      const tokens: string[] = [];
      for (const startsAt of ['2026-03-09T14:00:00Z', '2026-03-10T14:00:00Z', '2026-03-11T14:00:00Z'])
        tokens.push(await askedByMail(database, await asked(db, provider.id, { contact, startsAt })));
      const account = { email, name: 'Naomi', role: 'client', emailVerified: false } as const;
      const [signedUp, ...all] = await Promise.all([
        round % 2 ? createAccount(here, account).catch(sqlState) : Promise.resolve('nobody'),
        ...tokens.map(async (token, n) => (await ends([confirmRequest(processes[n % 2]!, { token })]))[0]!),
      ]);
      const people = await accountsAt(email);
      expect(people).toHaveLength(1);
      expect([people[0]!.id, '23505', 'nobody']).toContain(signedUp);
      const sessions = await db
        .selectFrom('appointments')
        .select('id')
        .where('client_id', '=', people[0]!.id)
        .execute();
      expect(sessions.map(({ id }) => id).toSorted()).toEqual(all.toSorted());
    }
  },
);

test('books one of several guests requesting the same hour', async () => {
  for (let round = 0; round < rounds; round++) {
    const provider = await addProvider(db);
    const tokens: string[] = [];
    for (let n = 0; n < 4; n++) tokens.push(await askedByMail(database, await asked(db, provider.id)));
    const all = await ends(tokens.map((token, n) => confirmRequest(processes[n % 2]!, { token })));
    expect(all.filter((end) => end === 'slot_taken')).toHaveLength(3);
  }
});
