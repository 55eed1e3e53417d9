import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import { setPassword } from '#/features/accounts/commands.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { pdf } from '../../../../tests/support/bytes.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { blockedConnections, suspendedMeanwhile } from '../../../../tests/support/locks.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { hashOf } from '../../../../tests/support/passwords.ts';
import { uploadAttachment } from '../uploads/commands.ts';
import { open, send } from '../commands.ts';
import { requireMember } from '../membership/policies.ts';
import { closeEmergency, openInEmergency } from './commands.ts';
import { emergencyPhrase, maxShown } from '../rules.ts';
import { currentAccess, openingsOf } from './queries.ts';
import { emergencyPersonal } from '../personal.ts';

const { db, as, setNow, runJobs, readMails } = await testDatabase({ poolSize: 4 });
const password = 'peace-be-with-you';
const reason = 'She wrote that she is in danger tonight.';

let admin: Person;
let client: Person;
let provider: Person;
let conversationId: string;
beforeAll(async () => {
  admin = { ...(await addClient(db)), role: 'super_admin' };
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', admin.id).execute();
  await transact(as(admin), async (tx) => setPassword(tx, admin.id, await hashOf(password)));
});
beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await db.deleteFrom('rate_limits').execute();
  await db.deleteFrom('emergency_accesses').execute();
  await db.deleteFrom('mails').execute();
  [client, provider] = [await addClient(db), await addProvider(db)];
  const first = {
    conversationId: newId(),
    withId: provider.id,
    subject: 'Nights',
    ...words('I can’t sleep.'),
  };
  conversationId = (await open(as(client), first, 1_000)).id;
});

const words = (text: string, attachmentIds: string[] = []) => ({ messageId: newId(), text, attachmentIds });
const addressOf = ({ id }: Person) => `${id}@people.example`;
const asked = (changes: object = {}) => ({
  firstEmail: addressOf(client),
  secondEmail: addressOf(provider),
  reason,
  confirmation: emergencyPhrase,
  password,
  ...changes,
});
const reasonOf = async (attempt: Promise<unknown>) => {
  const { code, reason: why } = await refusalOf(attempt);
  return [code, why];
};
const entries = () =>
  db
    .selectFrom('audit_entries')
    .selectAll()
    .where('action', 'like', 'messages.emergency%')
    .orderBy('id')
    .execute();

test('shows a conversation for half an hour, with files by name only', async () => {
  const query = new URLSearchParams({ conversationId, name: 'plan.pdf' });
  const { id } = await uploadAttachment(as(provider), { query, body: pdf() });
  await send(as(provider), { conversationId, ...words('Call me.', [id]) }, 1_000);
  const opened = await openInEmergency(as(admin), asked());
  expect(opened).toMatchObject({
    openedAt: '2026-03-02T12:00:00Z',
    endsAt: '2026-03-02T12:30:00Z',
    subject: 'Nights',
    more: false,
    messages: [
      { seq: 1, from: 'client', text: 'I can’t sleep.', files: [] },
      { seq: 2, from: 'provider', text: 'Call me.', files: ['plan.pdf'] },
    ],
  });
  expect(JSON.stringify(opened)).not.toContain(id);
  expect(JSON.stringify(opened)).not.toContain(conversationId);
  setNow('2026-03-02T12:29:59Z');
  expect(await currentAccess(as(admin))).toEqual(opened);
  setNow('2026-03-02T12:30:00Z');
  expect(await currentAccess(as(admin))).toBeNull();
  expect(await reasonOf(closeEmergency(as(admin), opened.id))).toEqual(['not_found', 'emergency_access']);
});

test('limits access to the administrator and sign-in session that opened it', async () => {
  const { id } = await openInEmergency(as(admin), asked());
  const second: Person = { ...(await addClient(db)), role: 'super_admin' };
  for (const other of [{ ...admin, sessionId: newId() }, second])
    expect(await currentAccess(as(other))).toBeNull();
  expect(await reasonOf(closeEmergency(as(second), id))).toEqual(['not_found', 'emergency_access']);
  await closeEmergency(as(admin), id);
  expect(await currentAccess(as(admin))).toBeNull();
});

test('leaves nothing open in the session after closing a conversation opened twice', async () => {
  const opened = await Promise.all([1, 2].map(() => openInEmergency(as(admin), asked())));
  await closeEmergency(as(admin), (await currentAccess(as(admin)))!.id);
  expect(await currentAccess(as(admin))).toBeNull();
  const closed = (await entries()).filter(({ action }) => action === 'messages.emergency_closed');
  expect(closed.map(({ details }) => details)).toEqual(
    expect.arrayContaining(opened.map(({ id }) => ({ access: id }))),
  );
});

test('closes an access once, however many ask at once', async () => {
  const { id } = await openInEmergency(as(admin), asked());
  let closing: Promise<unknown> | undefined;
  await db.transaction().execute(async (tx) => {
    const endsAt = new Date('2026-03-02T12:00:01Z');
    await tx.updateTable('emergency_accesses').set({ ends_at: endsAt }).where('id', '=', id).execute();
    closing = reasonOf(closeEmergency(as(admin), id));
    await expect.poll(() => blockedConnections(db)).toBe(1);
    setNow('2026-03-02T12:00:02Z');
  });
  expect(await closing).toEqual(['not_found', 'emergency_access']);
});

test('accepts the two addresses in either order', async () => {
  const swapped = { firstEmail: addressOf(provider), secondEmail: addressOf(client) };
  expect((await openInEmergency(as(admin), asked(swapped))).subject).toBe('Nights');
});

test('shows the latest messages, and reports that earlier ones exist', { tags: ['long'] }, async () => {
  for (let seq = 2; seq <= maxShown + 1; seq++)
    await send(as(client), { conversationId, ...words(`Word ${seq}`) }, 10_000);
  const { messages, more } = await openInEmergency(as(admin), asked());
  expect([messages.length, messages[0]!.seq, messages.at(-1)!.text, more]).toEqual([
    maxShown,
    2,
    `Word ${maxShown + 1}`,
    true,
  ]);
});

test('emails both people discreetly even with emails off, and records it in the conversation', async () => {
  await db.updateTable('site_settings').set({ email_notifications: false }).execute();
  await openInEmergency(as(admin), asked());
  await runJobs();
  const mails = await readMails();
  expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(
    [addressOf(client), addressOf(provider)].toSorted(),
  );
  for (const mail of mails) {
    const all = [mail.subject, mail.text_body, mail.html_body].join('\n');
    expect(all).toContain('https://italk.example/messages');
    expect(all).not.toMatch(/sleep|Nights|danger tonight/);
    expect(all).not.toContain(conversationId);
  }
  setNow('2027-03-02T12:00:00Z');
  for (const who of [client, provider])
    expect(await openingsOf(as(who), await requireMember(as(who), conversationId))).toEqual([
      { openedAt: '2026-03-02T12:00:00Z' },
    ]);
  expect(await reasonOf(requireMember(as(admin), conversationId))).toEqual(['not_found', 'conversation']);
});

test('logs the administrator and conversation, and never stores the reason as plain text', async () => {
  const before = (await entries()).length;
  const { id } = await openInEmergency(as(admin), asked());
  await closeEmergency(as(admin), id);
  const written = (await entries()).slice(before);
  expect(written).toMatchObject([
    {
      action: 'messages.emergency_opened',
      category: 'security',
      actor_id: admin.id,
      subject_kind: 'conversation',
      subject_id: conversationId,
      details: { access: id, client: client.id, provider: provider.id },
      success: true,
    },
    { action: 'messages.emergency_closed', actor_id: admin.id, details: { access: id } },
  ]);
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'jobs')`.execute(db);
  for (const { name } of tables) {
    const { rows } =
      await sql`select 1 from ${sql.raw(name)} as t where t::text like '%danger tonight%'`.execute(db);
    expect(rows, name).toEqual([]);
  }
});

test('opens and sends nothing without the password, confirmation or a conversation', async () => {
  expect(await reasonOf(openInEmergency(as(admin), asked({ password: 'wrong' })))).toEqual([
    'invalid',
    'wrong_password',
  ]);
  expect(await reasonOf(openInEmergency(as(admin), asked({ confirmation: 'yes' })))).toEqual([
    'invalid',
    'not_confirmed',
  ]);
  const stranger = addressOf(await addClient(db));
  const before = (await entries()).length;
  for (const nobody of [stranger, addressOf(client), 'nobody@people.example'])
    expect(await reasonOf(openInEmergency(as(admin), asked({ secondEmail: nobody })))).toEqual([
      'not_found',
      'conversation',
    ]);
  expect((await entries()).slice(before).map(({ success }) => success)).toEqual([false, false, false]);
  for (const who of [client, provider])
    expect(await reasonOf(openInEmergency(as(who), asked()))).toEqual(['forbidden', 'capability_missing']);
  await runJobs();
  expect(await db.selectFrom('mails').select('id').orderBy('id').execute()).toEqual([]);
  expect(await db.selectFrom('emergency_accesses').select('id').execute()).toEqual([]);
});

test('limits password attempts', async () => {
  for (let count = 0; count < 10; count++)
    await refusalOf(openInEmergency(as(admin), asked({ password: 'x' })));
  expect(await reasonOf(openInEmergency(as(admin), asked()))).toEqual(['rate_limited', 'too_many_tries']);
});

test('exports the access to both people, and erases the reason with an account', async () => {
  const { id } = await openInEmergency(as(admin), asked());
  for (const who of [client, provider]) {
    const { tables } = await emergencyPersonal.collect(as({ kind: 'system' }), who.id);
    expect(tables['emergency_accesses']).toEqual([
      {
        id,
        conversation_id: conversationId,
        opened_at: '2026-03-02T12:00:00Z',
        ends_at: '2026-03-02T12:30:00Z',
      },
    ]);
  }
  await transact(as({ kind: 'job', name: 'erase' }), (tx) => emergencyPersonal.erase(tx, client.id));
  expect(await db.selectFrom('emergency_accesses').select(['id', 'reason', 'opened_by']).execute()).toEqual([
    { id, reason: null, opened_by: admin.id },
  ]);
});

test('shows nothing to an administrator suspended while their password was checked', async () => {
  const refused = await reasonOf(suspendedMeanwhile(as(admin), () => openInEmergency(as(admin), asked())));
  await db.updateTable('profiles').set({ suspended_at: null }).where('id', '=', admin.id).execute();
  expect(refused).toEqual(['unauthenticated', 'sign_in_required']);
});
