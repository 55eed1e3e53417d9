import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { approveCredential, submitCredential } from '../credentials/commands.ts';
import { listSpecialists, ownListing } from '../queries.ts';
import { requirePractice } from '../practice/policies.ts';
import { endLicense, followLicenses } from './commands.ts';
import { endingLicenses } from './queries.ts';

const { db, as, setNow, runJobs, readMails } = await testDatabase();
const guest = as({ kind: 'guest' });
const system = as({ kind: 'system' });

let doctor: Person;
let chief: ReturnType<typeof as>;
beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await db.updateTable('providers').set({ licensed_until: null }).execute();
  doctor = await addProvider(db);
  const { id } = await addClient(db);
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', id).execute();
  chief = as({ kind: 'person', id, role: 'super_admin', sessionId: id });
});

const words = { kind: 'licence' as const, number: 'PSY 1', issuer: 'The board', region: 'New York' };
const approved = async (changes: object, who = doctor) => {
  const { id } = await submitCredential(as(who), { ...words, ...changes });
  await approveCredential(chief, id);
  return id;
};
const shown = async () => (await listSpecialists(guest, { limit: 100 })).some(({ id }) => id === doctor.id);
const flagged = async () =>
  (await endingLicenses(chief, { offset: 0, limit: 50 })).map(({ id, state }) => [id, state]);
const own = async () => (await ownListing(as(doctor), await requirePractice(as(doctor)))).licenseEnd;
const mails = async () => {
  await runJobs();
  const rows = (
    await readMails((mailed) => mailed.where('recipient', '=', `${doctor.id}@people.example`))
  ).filter(({ subject, text_body }) => subject === 'Your credentials' && text_body.includes('valid until'));
  return rows.map(({ text_body: text }) => (text.includes('was valid until') ? 'ended' : 'ending'));
};

describe('a license', () => {
  test('is flagged 60 days before it ends, to its specialist, administrators and once by email', async () => {
    await approved({ expiresOn: '2026-06-30' });
    setNow('2026-04-30T23:00:00Z');
    await followLicenses(system);
    expect([await own(), await flagged(), await mails()]).toEqual([null, [], []]);
    setNow('2026-05-01T00:30:00Z');
    await followLicenses(system);
    await followLicenses(system);
    expect(await own()).toEqual({ until: '2026-06-30', state: 'ending' });
    expect(await flagged()).toEqual([[doctor.id, 'ending']]);
    expect(await mails()).toEqual(['ending']);
    expect(await shown()).toBe(true);
  });

  test('hides its specialist the day after it ends, until renewed', async () => {
    const first = await approved({ expiresOn: '2026-03-31' });
    setNow('2026-03-31T23:59:00Z');
    await followLicenses(system);
    expect(await shown()).toBe(true);
    setNow('2026-04-01T00:00:00Z');
    await followLicenses(system);
    await followLicenses(system);
    expect(await shown()).toBe(false);
    expect(await own()).toMatchObject({ state: 'ended' });
    expect(await flagged()).toEqual([[doctor.id, 'ended']]);
    expect((await mails()).toSorted()).toEqual(['ended', 'ending']);
    await approved({ expiresOn: '2028-03-31', replaces: first });
    expect(await shown()).toBe(true);
    expect([await own(), await flagged()]).toEqual([null, []]);
  });

  test('hides its specialist right at the end of its last day, by a scheduled job', async () => {
    await approved({ expiresOn: '2026-03-31' });
    setNow('2026-03-31T23:10:00Z');
    await followLicenses(system);
    await endLicense(system, doctor.id);
    expect(await shown()).toBe(true);
    setNow('2026-04-01T00:00:00Z');
    await runJobs();
    expect(await shown()).toBe(false);
  });

  test('doesn’t hide its specialist while another of its kind is valid', async () => {
    await approved({ expiresOn: '2026-03-31' });
    await approved({ expiresOn: '2027-03-31', region: 'Ohio' });
    setNow('2026-04-01T00:00:00Z');
    await followLicenses(system);
    expect(await shown()).toBe(true);
    setNow('2027-04-01T00:00:00Z');
    await followLicenses(system);
    expect(await shown()).toBe(false);
    await approved({ region: 'Iowa' });
    expect(await shown()).toBe(true);
  });

  test('hides a doctor whose license expired despite an ordination, but not a pastor', async () => {
    await approved({ expiresOn: '2026-03-31' });
    await approved({ kind: 'ordination' });
    setNow('2026-04-01T00:00:00Z');
    await followLicenses(system);
    expect(await shown()).toBe(false);
    const pastor = await addProvider(db);
    setNow('2026-03-02T12:00:00Z');
    await db.updateTable('profiles').set({ role: 'pastor' }).where('id', '=', pastor.id).execute();
    await db.updateTable('providers').set({ kind: 'pastor' }).where('id', '=', pastor.id).execute();
    await approved({ expiresOn: '2026-03-31' }, pastor);
    await approved({ kind: 'ordination' }, pastor);
    setNow('2026-04-01T00:00:00Z');
    await followLicenses(system);
    expect((await listSpecialists(guest, { limit: 100 })).some(({ id }) => id === pastor.id)).toBe(true);
  });

  test.each([
    ['suspended', { suspended_at: new Date('2026-03-02T12:00:00Z') }],
    ['in another role', { role: 'client' }],
    ['about to be deleted', { delete_after: new Date('2026-04-02T12:00:00Z') }],
  ] as const)('of someone %s is neither flagged nor emailed about, until they’re back', async (_, away) => {
    await approved({ expiresOn: '2026-03-31' });
    await db.updateTable('profiles').set(away).where('id', '=', doctor.id).execute();
    await followLicenses(system);
    setNow('2026-04-01T00:00:00Z');
    await followLicenses(system);
    expect(await flagged()).toEqual([]);
    expect(await mails()).toEqual([]);
    await db
      .updateTable('profiles')
      .set({ suspended_at: null, role: 'doctor', delete_after: null })
      .where('id', '=', doctor.id)
      .execute();
    await followLicenses(system);
    expect(await flagged()).toEqual([[doctor.id, 'ended']]);
    expect(await mails()).toEqual(['ended']);
  });

  test('keeps a page its owner hid hidden after renewal', async () => {
    const first = await approved({ expiresOn: '2026-03-31' });
    await db.updateTable('providers').set({ listed: false }).where('id', '=', doctor.id).execute();
    setNow('2026-04-01T00:00:00Z');
    await followLicenses(system);
    await approved({ expiresOn: '2028-03-31', replaces: first });
    expect(await shown()).toBe(false);
  });
});
