import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { requireSpecialistPage } from '../policies.ts';
import { requirePractice } from '../practice/policies.ts';
import { approveCredential, rejectCredential, submitCredential, withdrawCredential } from './commands.ts';
import { ownCredentials, waitingCredentialCount, waitingCredentials } from './queries.ts';

const { db, as, setNow, runJobs, readMails } = await testDatabase();
const administrator = (id: string): Actor => ({ kind: 'person', id, role: 'super_admin', sessionId: id });
const guest = as({ kind: 'guest' });

let doctor: Person;
let chief: ReturnType<typeof as>;
beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  doctor = await addProvider(db);
  const { id } = await addClient(db);
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', id).execute();
  chief = as(administrator(id));
  await db.deleteFrom('provider_credentials').execute();
});

const license = {
  kind: 'licence' as const,
  number: 'PSY 1',
  issuer: 'Board of Psychology',
  region: 'New York',
  expiresOn: '2027-06-30',
};
const submit = (changes: object = {}, who = doctor) => submitCredential(as(who), { ...license, ...changes });
const mine = async (who = doctor) => ownCredentials(as(who), await requirePractice(as(who)));
const shown = async () => (await requireSpecialistPage(guest, `doctor-${doctor.id}`)).credentials;
const ends = (acts: readonly Promise<unknown>[]) =>
  Promise.all(
    acts.map((act) =>
      act.then(
        () => 'done',
        (error: unknown) => (error instanceof AppError ? error.reason : 'defect'),
      ),
    ),
  );

describe('a credential', () => {
  test('is hidden until approved, and then shown without its number', async () => {
    const { id } = await submit();
    expect(await shown()).toEqual([]);
    await approveCredential(chief, id);
    expect(await shown()).toEqual([
      { id, kind: 'licence', issuer: 'Board of Psychology', region: 'New York', validUntil: '2027-06' },
    ]);
  });

  test('leaves the approved one on the page until its replacement is approved', async () => {
    const first = await submit();
    await approveCredential(chief, first.id);
    const second = await submit({ region: 'New Jersey', replaces: first.id });
    expect((await shown()).map(({ region }) => region)).toEqual(['New York']);
    expect(await waitingCredentials(chief, { offset: 0, limit: 10 })).toMatchObject([
      { id: second.id, number: 'PSY 1', current: { id: first.id, region: 'New York' } },
    ]);
    await approveCredential(chief, second.id);
    expect((await shown()).map(({ region }) => region)).toEqual(['New Jersey']);
    expect((await mine()).map(({ id, state }) => [id, state])).toEqual([[second.id, 'approved']]);
  });

  test('tells its specialist why it was rejected, keeping the approved one', async () => {
    const first = await submit();
    await approveCredential(chief, first.id);
    const second = await submit({ number: 'PSY 2', replaces: first.id });
    await rejectCredential(chief, second.id, 'The board doesn’t know this number.');
    expect(await mine()).toMatchObject([
      { id: first.id, state: 'approved' },
      { id: second.id, state: 'rejected', reason: 'The board doesn’t know this number.' },
    ]);
    expect((await shown()).map(({ id }) => id)).toEqual([first.id]);
    // Resubmitting replaces the unapproved credential.
    const third = await submit({ number: 'PSY 3', replaces: first.id });
    expect((await mine()).map(({ id }) => id)).toEqual([first.id, third.id]);
  });

  test('disappears from the page after its expiry date', async () => {
    const { id } = await submit({ expiresOn: '2026-03-31' });
    await approveCredential(chief, id);
    setNow('2026-03-31T23:59:00Z');
    expect(await shown()).toHaveLength(1);
    setNow('2026-04-01T00:00:00Z');
    expect(await shown()).toEqual([]);
    expect(await mine()).toMatchObject([{ state: 'approved', expired: true }]);
  });

  test('is limited to one pending, even when sent concurrently', async () => {
    const outcomes = await ends(Array.from({ length: 8 }, (_, index) => submit({ number: `PSY ${index}` })));
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 7 }, () => 'credential_waiting'), 'done']);
    expect(await waitingCredentialCount(chief)).toEqual({ waiting: 1 });
  });

  test('keeps one result when approved and rejected concurrently', async () => {
    const { id } = await submit();
    const outcomes = await ends([
      approveCredential(chief, id),
      rejectCredential(chief, id, 'No.'),
      approveCredential(chief, id),
    ]);
    expect(outcomes.toSorted()).toEqual(['decided', 'decided', 'done']);
    const filed = await db
      .selectFrom('audit_entries')
      .select('action')
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute();
    expect(filed).toHaveLength(2);
    expect(filed[0]!.action).toBe('provider.credential_submitted');
  });

  test('is either withdrawn or decided when both happen at once', async () => {
    const { id } = await submit();
    const [taken, approved] = await ends([withdrawCredential(as(doctor), id), approveCredential(chief, id)]);
    expect([
      ['done', 'credential'],
      ['credential', 'done'],
    ]).toContainEqual([taken, approved]);
    expect(await shown()).toHaveLength(approved === 'done' ? 1 : 0);
  });

  test('can’t be withdrawn or replaced by another specialist', async () => {
    const { id } = await submit();
    const other = await addProvider(db);
    await expect(withdrawCredential(as(other), id)).rejects.toMatchObject({ code: 'not_found' });
    await approveCredential(chief, id);
    await expect(submit({ replaces: id }, other)).rejects.toMatchObject({ reason: 'not_approved' });
    await expect(withdrawCredential(as(doctor), id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await shown()).toHaveLength(1);
  });

  test('is submitted by specialists and decided by administrators', async () => {
    const { id } = await submit();
    const client = await addClient(db);
    await expect(submit({}, client)).rejects.toMatchObject({ code: 'not_found' });
    await expect(submitCredential(guest, license)).rejects.toMatchObject({ code: 'unauthenticated' });
    for (const who of [client, doctor])
      await expect(approveCredential(as(who), id)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await mine()).toMatchObject([{ state: 'pending' }]);
  });

  test('rejects a past expiry date', async () => {
    await expect(submit({ expiresOn: '2026-03-01' })).rejects.toMatchObject({
      fields: [{ field: 'expiresOn', reason: 'past' }],
    });
    expect(await mine()).toEqual([]);
  });

  test('emails the decision without its number or the reason', async () => {
    const first = await submit();
    await approveCredential(chief, first.id);
    const second = await submit({ number: 'PSY 2', replaces: first.id });
    await rejectCredential(chief, second.id, 'A reason of their own');
    await runJobs();
    const mails = (
      await readMails((rows) => rows.where('recipient', '=', `${doctor.id}@people.example`))
    ).map(({ subject, text_body: text, html_body: html }) => ({ subject, text, html }));
    expect(mails).toHaveLength(2);
    for (const told of ['are approved and now appear on your page', 'couldn’t approve your credentials'])
      expect(mails.filter(({ text }) => text.includes(told))).toHaveLength(1);
    for (const { subject, text, html } of mails)
      expect(`${subject} ${text} ${html}`).not.toMatch(/PSY|A reason of their own|Board/);
  });
});
