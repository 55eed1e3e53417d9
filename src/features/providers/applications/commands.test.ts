import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#/kernel/errors.ts';
import { newId } from '#/platform/clock.ts';
import { pdf } from '../../../../tests/support/bytes.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import {
  addAdministrator,
  addClient,
  addProvider,
  freshSession,
  sixtyMinutes,
  type Person,
} from '../../../../tests/support/people.ts';
import {
  answerDocument,
  deleteUnsentDocuments,
  removeDocument,
  uploadDocument,
} from '../documents/commands.ts';
import { requireSpecialistPage } from '../policies.ts';
import { listSpecialists } from '../queries.ts';
import {
  addProvider as addByHand,
  approveApplication,
  checkApplication,
  rejectApplication,
  submitApplication,
  withdrawApplication,
} from './commands.ts';
import type { AddInput, SubmitInput } from './contract.ts';
import { listApplications, ownApplication } from './queries.ts';

const { db, as, setNow, runJobs, readMails } = await testDatabase();
const guest = as({ kind: 'guest' });

let client: Person;
let chief: ReturnType<typeof as>;
let service: string;
beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await db.deleteFrom('provider_applications').execute();
  client = await addClient(db);
  await db.updateTable('users').set({ email_verified: true }).where('id', '=', client.id).execute();
  chief = as(await addAdministrator(db));
  service = await sixtyMinutes(db);
});

const query = (name: string) => new URLSearchParams({ name });
const upload = (who: Person = client, name = 'license.pdf') =>
  uploadDocument(as(who), { query: query(name), body: pdf() });

const words = (): Omit<SubmitInput, 'documentIds'> => ({
  fullName: 'Dr. Naomi Field',
  phone: '+1 555 0100',
  type: 'doctor',
  specialization: 'Grief, Trauma',
  experience: '12 years',
  education: ['PhD, Boston'],
  location: 'Boston, MA',
  timeZone: 'America/New_York',
  bio: 'I listen first.',
  serviceIds: [service],
  languages: ['English'],
  credentialKind: 'licence',
  number: 'PSY 77',
  issuer: 'Board of Psychology',
  region: 'Massachusetts',
  expiresOn: '2027-06-30',
});
const apply = async (changes: Partial<SubmitInput> = {}, who = client) =>
  submitApplication(as(who), { ...words(), documentIds: [(await upload(who)).id], ...changes });
/** Opens every document, as required before approval. */
const openDocuments = async (id: string, who = chief) => {
  const { documents } = await checkApplication(who, id);
  for (const document of documents)
    await answerDocument(who, new Request('https://italk.example/', { method: 'GET' }), document.id);
};
const pending = () => listApplications(chief, { status: 'pending', limit: 10 });
const mailsTo = async (id: string) =>
  (
    await readMails((rows) =>
      rows.where('recipient', 'in', (of) => of.selectFrom('users').select('email').where('id', '=', id)),
    )
  ).map(({ subject, text_body: text }) => ({ subject, text }));
const ends = (acts: readonly Promise<unknown>[]) =>
  Promise.all(
    acts.map((act) =>
      act.then(
        () => 'done',
        (error: unknown) => (error instanceof AppError ? error.reason : String(error)),
      ),
    ),
  );

describe('an application', () => {
  test('shows moderators everything with documents, and makes its sender a specialist', async () => {
    const { id } = await apply();
    const { applications, counts } = await pending();
    expect(counts).toMatchObject({ pending: 1 });
    expect(applications).toMatchObject([
      {
        id,
        name: 'Dr. Naomi Field',
        email: `${client.id}@people.example`,
        type: 'doctor',
        services: ['An hour of care'],
        credential: { kind: 'licence', number: 'PSY 77', expiresOn: '2027-06-30' },
        documents: [{ name: 'license.pdf', contentType: 'application/pdf' }],
      },
    ]);
    await openDocuments(id);
    await approveApplication(chief, id);
    await runJobs();
    const listed = (await listSpecialists(guest, { limit: 100 })).find((one) => one.id === client.id)!;
    expect(listed).toMatchObject({
      name: 'Dr. Naomi Field',
      kind: 'doctor',
      title: 'Licensed clinician',
      specialties: ['Grief', 'Trauma'],
      serviceIds: [service],
      sessionTypes: ['online', 'phone'],
    });
    expect((await requireSpecialistPage(guest, listed.slug)).credentials).toMatchObject([
      { issuer: 'Board of Psychology', validUntil: '2027-06' },
    ]);
    expect(
      await db.selectFrom('profiles').select('role').where('id', '=', client.id).executeTakeFirst(),
    ).toEqual({ role: 'doctor' });
    const hours = db.selectFrom('weekly_hours').select('weekday').where('provider_id', '=', client.id);
    expect((await hours.execute()).length).toBe(12);
    const [mail, ...others] = await mailsTo(client.id);
    expect(others).toEqual([]);
    expect(mail!.text).toContain('You’re approved');
    expect(mail!.text).not.toMatch(/PSY|Board/);
    expect(await ownApplication(as(client))).toMatchObject({ application: { status: 'approved' } });
  });

  test('can be approved only after opening each document, and logs what was checked', async () => {
    const documents = [await upload(), await upload(client, 'diploma.pdf')];
    const { id } = await apply({ documentIds: documents.map((one) => one.id) });
    const opened = async (who = chief) =>
      (await checkApplication(who, id)).documents.map(({ openedAt }) => openedAt);
    expect(await opened()).toEqual([null, null]);
    const colleague = as(await addAdministrator(db));
    await openDocuments(id, colleague);
    expect(await opened()).toEqual([null, null]);
    const unopened = { code: 'precondition', reason: 'documents_unopened' };
    await expect(approveApplication(chief, id)).rejects.toMatchObject(unopened);
    setNow('2026-03-02T13:00:00Z');
    await answerDocument(chief, new Request('https://italk.example/'), documents[0]!.id);
    expect(await opened()).toEqual(['2026-03-02T13:00:00.000Z', null]);
    await expect(approveApplication(chief, id)).rejects.toMatchObject(unopened);
    await answerDocument(chief, new Request('https://italk.example/'), documents[1]!.id);
    await approveApplication(chief, id);
    const { details } = await db
      .selectFrom('audit_entries')
      .select('details')
      .where('action', '=', 'provider.application_approved')
      .where('subject_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(details).toEqual({
      personId: client.id,
      status: 'pending → approved',
      credential: 'licence',
      credentialExpired: false,
      expiresOn: '2027-06-30',
      documentsOpened: 2,
    });
    expect(await checkApplication(chief, id)).toMatchObject({ status: 'approved' });
    await expect(checkApplication(as(client), id)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(checkApplication(chief, newId())).rejects.toMatchObject({ code: 'not_found' });
  });

  test('tells its applicant why it was rejected, and lets them apply again', async () => {
    const { id } = await apply();
    await rejectApplication(chief, id, 'The board doesn’t know this number.');
    await runJobs();
    expect(await ownApplication(as(client))).toMatchObject({
      application: { status: 'rejected', reason: 'The board doesn’t know this number.' },
    });
    const [mail] = await mailsTo(client.id);
    expect(mail!.text).toContain('couldn’t approve your application');
    expect(mail!.text).not.toContain('number');
    expect((await listSpecialists(guest, { limit: 100 })).some((one) => one.id === client.id)).toBe(false);
    expect((await apply()).status).toBe('pending');
  });

  test('is limited to one pending, even when sent concurrently', async () => {
    const documents = await Promise.all([upload(), upload(), upload(), upload()]);
    const outcomes = await ends(
      documents.map((document) => submitApplication(as(client), { ...words(), documentIds: [document.id] })),
    );
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 3 }, () => 'application_waiting'), 'done']);
    expect((await pending()).counts.pending).toBe(1);
  });

  test('is decided once when administrators act concurrently', async () => {
    const { id } = await apply();
    await openDocuments(id);
    const outcomes = await ends([
      approveApplication(chief, id),
      rejectApplication(chief, id, 'No.'),
      approveApplication(chief, id),
    ]);
    expect(outcomes.toSorted()).toEqual(['decided', 'decided', 'done']);
    await runJobs();
    expect(await mailsTo(client.id)).toHaveLength(1);
  });

  test('is deleted with its documents when withdrawn', async () => {
    const { id, documents } = await apply();
    const other = await addClient(db);
    await expect(withdrawApplication(as(other), id)).rejects.toMatchObject({ code: 'not_found' });
    await withdrawApplication(as(client), id);
    expect(await ownApplication(as(client))).toEqual({ application: null, documents: [] });
    expect(await db.selectFrom('files').select('id').where('id', '=', documents[0]!.id).execute()).toEqual(
      [],
    );
    await expect(approveApplication(chief, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('requires a client with a verified address, and an administrator to decide', async () => {
    await expect(submitApplication(guest, { ...words(), documentIds: [newId()] })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    const doctor = await addProvider(db);
    const document = await upload(doctor);
    await expect(apply({ documentIds: [document.id] }, doctor)).rejects.toMatchObject({
      reason: 'not_a_client',
    });
    await db.updateTable('users').set({ email_verified: false }).where('id', '=', client.id).execute();
    await expect(apply()).rejects.toMatchObject({ reason: 'email_unverified' });
    await db.updateTable('users').set({ email_verified: true }).where('id', '=', client.id).execute();
    const { id } = await apply();
    for (const who of [client, doctor])
      await expect(approveApplication(as(who), id)).rejects.toMatchObject({ code: 'forbidden' });
    expect((await pending()).counts.pending).toBe(1);
  });

  test('rejects invalid fields and stores nothing', async () => {
    const mine = await upload();
    const theirs = await upload(await addClient(db));
    const refused: [Partial<SubmitInput>, string][] = [
      [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
      [{ expiresOn: '2026-03-01' }, 'expiresOn'],
      [{ serviceIds: ['no-such-service'] }, 'serviceIds'],
      [{ documentIds: [theirs.id] }, 'documentIds'],
      [{ documentIds: [mine.id, newId()] }, 'documentIds'],
    ];
    for (const [changes, field] of refused)
      await expect(
        submitApplication(as(client), { ...words(), documentIds: [mine.id], ...changes }),
      ).rejects.toMatchObject({ fields: [{ field }] });
    expect((await pending()).counts.pending).toBe(0);
    expect((await ownApplication(as(client))).documents).toHaveLength(1);
  });

  test('of an account about to be deleted is approved unlisted until they stay', async () => {
    const { id } = await apply();
    await db
      .updateTable('profiles')
      .set({ delete_after: new Date('2026-04-01T00:00:00Z') })
      .where('id', '=', client.id)
      .execute();
    await openDocuments(id);
    await approveApplication(chief, id);
    expect((await listSpecialists(guest, { limit: 100 })).some((one) => one.id === client.id)).toBe(false);
  });

  test('is listed in pages, newest first', async () => {
    const ids: string[] = [];
    for (let minute = 0; minute < 5; minute++) {
      setNow(`2026-03-02T12:0${minute}:00Z`);
      const person = await addClient(db);
      await db.updateTable('users').set({ email_verified: true }).where('id', '=', person.id).execute();
      ids.unshift((await apply({}, person)).id);
    }
    const first = await listApplications(chief, { status: 'pending', limit: 2 });
    expect(first.applications.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.more).toBe(true);
    const rest = await listApplications(chief, { status: 'pending', limit: 10, after: ids[1]! });
    expect(rest.applications.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(rest.more).toBe(false);
  });
});

describe('a document', () => {
  const read = async (who: ReturnType<typeof as>, id: string) =>
    answerDocument(who, new Request('http://x/'), id);

  test('opens only for its applicant and moderators, whose views are logged', async () => {
    const [waiting, other] = [await upload(), await upload()];
    await expect(read(chief, waiting.id)).rejects.toMatchObject({ code: 'not_found' });
    const { documents } = await apply({ documentIds: [waiting.id, other.id] });
    const own = await read(as(client), documents[0]!.id);
    expect(own.headers.get('cache-control')).toBe('private, no-store');
    expect(Buffer.from(await own.arrayBuffer()).equals(pdf())).toBe(true);
    const looks = () =>
      db
        .selectFrom('audit_entries')
        .select('subject_id')
        .where('action', '=', 'provider.document_viewed')
        .where('subject_id', 'in', [waiting.id, other.id])
        .orderBy('id')
        .execute();
    expect(await looks()).toEqual([]);
    expect((await read(chief, documents[0]!.id)).headers.get('content-disposition')).toContain('license.pdf');
    await read(chief, other.id);
    await read(chief, documents[0]!.id);
    // Logs each document view once per viewing period.
    expect(await looks()).toEqual([{ subject_id: documents[0]!.id }, { subject_id: other.id }]);
    const [stranger, doctor] = [await addClient(db), await addProvider(db)];
    for (const who of [as(stranger), as(doctor), guest])
      await expect(read(who, documents[0]!.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is a PDF, JPEG or PNG by its bytes under any name, and stored encrypted', async () => {
    const page = Buffer.from('<!doctype html><script>1</script>');
    for (const body of [page, Buffer.from('MZ program'), Buffer.alloc(0)])
      await expect(uploadDocument(as(client), { query: query('license.pdf'), body })).rejects.toMatchObject({
        fields: [{ field: 'file' }],
      });
    const { id, name } = await upload(client, 'invoice.exe');
    expect(name).toBe('invoice.exe.pdf');
    const row = await db
      .selectFrom('application_documents')
      .innerJoin('files', 'files.id', 'application_documents.id')
      .select(['application_documents.name', 'sealed_key'])
      .where('application_documents.id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.name).not.toContain('invoice');
    expect(row.sealed_key).not.toBeNull();
  });

  test('is limited to five, can be removed, and expires after a day', async () => {
    const outcomes = await ends(Array.from({ length: 8 }, () => upload()));
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(5);
    expect(outcomes.filter((one) => one === 'documents_full')).toHaveLength(3);
    const [first] = (await ownApplication(as(client))).documents;
    await expect(removeDocument(as(await addClient(db)), first!.id)).rejects.toMatchObject({
      code: 'not_found',
    });
    await removeDocument(as(client), first!.id);
    const { documents } = await apply({ documentIds: [(await ownApplication(as(client))).documents[0]!.id] });
    setNow('2026-03-03T13:00:00Z');
    await deleteUnsentDocuments(as({ kind: 'system' }));
    expect(await ownApplication(as(client))).toMatchObject({ application: { documents }, documents: [] });
  });
});

describe('a manually added specialist', () => {
  const input = (changes: Partial<AddInput> = {}): AddInput => ({
    fullName: 'Pastor Jonah Reed',
    email: `${newId()}@people.example`,
    phone: '',
    type: 'pastor',
    specialization: 'Youth',
    experience: '',
    education: [],
    location: '',
    bio: '',
    serviceIds: [],
    languages: [],
    inPerson: false,
    existing: false,
    ...changes,
  });

  test('gets an account, a listing and a welcome link to set a password within a week', async () => {
    const { id, slug } = await addByHand(chief, input({ serviceIds: [service], languages: ['German'] }));
    await runJobs();
    expect((await requireSpecialistPage(guest, slug)).name).toBe('Pastor Jonah Reed');
    const [mail] = await mailsTo(id);
    expect(mail!.text).toMatch(/\/reset-password\?next=\S+#[\w-]{32}/);
    const [link] = await db.selectFrom('verifications').selectAll().where('value', '=', id).execute();
    expect(link!.expires_at.toISOString()).toBe('2026-03-09T12:00:00.000Z');
    await expect(addByHand(as(client), input())).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('needs only name, address, type and specialization, and then offers every active service', async () => {
    const active = await db.selectFrom('services').select('id').where('active', '=', true).execute();
    const { slug } = await addByHand(chief, input());
    const { serviceIds, ...page } = await requireSpecialistPage(guest, slug);
    expect(page).toMatchObject({ languages: [], credentials: [] });
    expect(serviceIds.toSorted()).toEqual(active.map(({ id }) => id).toSorted());
    expect(serviceIds).not.toEqual([]);
  });

  test('is titled by profession, not specialization, and can offer in-person sessions', async () => {
    const { slug } = await addByHand(chief, input({ inPerson: true }));
    expect(await requireSpecialistPage(guest, slug)).toMatchObject({
      title: 'Ordained pastoral counselor',
      specialties: ['Youth'],
      sessionTypes: ['online', 'in-person'],
    });
  });

  test('takes over a client’s account only on request', async () => {
    const email = `${client.id}@people.example`;
    await expect(addByHand(chief, input({ email }))).rejects.toMatchObject({
      reason: 'account_is_client',
      data: { name: expect.any(String) as string },
    });
    await freshSession(db, client);
    expect(await addByHand(chief, input({ email, existing: true }))).toMatchObject({ id: client.id });
    // A role change ends their sign-in sessions.
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', client.id).execute()).toEqual(
      [],
    );
    await runJobs();
    const [mail] = await mailsTo(client.id);
    expect(mail!.text).not.toContain('token');
    // The account is now a provider's.
    await expect(addByHand(chief, input({ email, existing: true }))).rejects.toMatchObject({
      reason: 'account_exists',
    });
  });

  test('is added once, even concurrently', async () => {
    const one = input();
    const outcomes = await ends([addByHand(chief, one), addByHand(chief, one), addByHand(chief, one)]);
    expect(outcomes.filter((end) => end === 'done')).toHaveLength(1);
    expect(outcomes.filter((end) => end === 'account_exists' || end === 'account_is_client')).toHaveLength(2);
  });

  test('can include a credential, which counts as verified', async () => {
    const { slug } = await addByHand(
      chief,
      input({
        credential: { credentialKind: 'ordination', number: 'O 1', issuer: 'The Church', region: 'Ohio' },
      }),
    );
    expect((await requireSpecialistPage(guest, slug)).credentials).toMatchObject([{ issuer: 'The Church' }]);
  });
});
