import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { selfOf } from '#/features/access/rules.ts';
import { ownProfile, updateProfile } from '#/features/accounts/profile/commands.ts';
import { cancel } from '#/features/appointments/life-cycle/commands.ts';
import { ownAppointments } from '#/features/appointments/appointment/queries.ts';
import { decryptRequest } from '#/features/guest-booking/queries.ts';
import { annotate, receive } from '#/features/contact/commands.ts';
import { requireMessage } from '#/features/contact/policies.ts';
import { inbox } from '#/features/contact/queries.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../tests/support/database.ts';
import { addClient, addProvider } from '../../tests/support/people.ts';
import { addSession } from '../../tests/support/sessions.ts';
import { sealClear } from './seal-clear.ts';

const { db, as, runJobs, readMails } = await testDatabase();
const system = as({ kind: 'system' });

/** Finds every table, column and queued job storing a word in plain text. */
async function foundIn(word: string): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
     where schemaname in ('public', 'jobs') order by 1, 2`.execute(db);
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ column: string }>`
      select distinct cell.name as column from ${sql.table(`${schema}.${name}`)} t,
        jsonb_each_text(to_jsonb(t)) as cell(name, stored)
       where cell.stored ilike ${`%${word}%`}`.execute(db);
    found.push(...rows.map(({ column }) => `${name}.${column}`));
  }
  return found.toSorted();
}

async function admin() {
  const chief = await addClient(db);
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', chief.id).execute();
  return as({ ...chief, role: 'super_admin' });
}

test('stores no personal text in plain text', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  await updateProfile(as(client), {
    spiritualTradition: 'zqmark Waldensian',
    mentalHealthFocus: ['zqmark Grief'],
  });
  const id = await addSession(db, { client, provider, start: '2026-03-20T12:00:00Z', status: 'confirmed' });
  await cancel(as(client), id, 'zqmark My mother died');
  const written = {
    name: 'zqmark Ruth',
    email: 'ruth@people.example',
    subject: 'zqmark A',
    message: 'zqmark B',
  };
  await transact(system, (tx) => receive(tx, newId(), written, () => Promise.resolve(false)));
  const chief = await admin();
  const { messages } = await inbox(chief, { state: 'open', search: 'zqmark', limit: 5 });
  await annotate(chief, { messageId: messages[0]!.id, note: 'zqmark Called back', seen: '' });
  await runJobs();
  expect(JSON.stringify(await readMails())).toContain('zqmark B');
  expect(await foundIn('zqmark')).toEqual([]);

  expect(await ownProfile(as(client))).toMatchObject({
    spiritualTradition: 'zqmark Waldensian',
    mentalHealthFocus: ['zqmark Grief'],
  });
  expect(await ownAppointments(as(provider), selfOf(as(provider)), [id])).toMatchObject([
    { cancelReason: 'zqmark My mother died' },
  ]);
  expect(await requireMessage(chief, messages[0]!.id)).toMatchObject({
    ...written,
    note: 'zqmark Called back',
  });
});

/** Stores rows in plain text, like earlier releases; `read` returns what the program reads. */
async function storeInClear(word: string) {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const id = await addSession(db, { client, provider });
  const [requestId, messageId] = [newId(), newId()];
  await db
    .updateTable('profiles')
    .set({ spiritual_tradition: `${word} "Waldensian"`, mental_health_focus: [`${word}, Grief`, 'Sleep'] })
    .where('id', '=', client.id)
    .execute();
  await db
    .updateTable('appointments')
    .set({ cancel_reason: `${word} one`, moved_reason: `${word} two` })
    .where('id', '=', id)
    .execute();
  await db
    .insertInto('booking_requests')
    .values({
      id: requestId,
      email: 'ann@people.example',
      input: JSON.stringify({ contact: { name: `${word} Ann` } }),
      created_at: new Date(),
      expires_at: new Date(),
    })
    .execute();
  await db
    .insertInto('contact_messages')
    .values({
      id: messageId,
      form_id: newId(),
      name: `${word} Ann`,
      email: 'ann@people.example',
      subject: `${word} subject`,
      message: `${word} message`,
      note: `${word} note`,
      sent_at: new Date('2026-03-01T12:00:00Z'),
    })
    .execute();
  const mailId = newId();
  const file = { filename: 'a.ics', contentType: 'text/calendar', content: `${word} file` };
  await db
    .insertInto('mails')
    .values({
      id: mailId,
      key: mailId,
      recipient: 'ann@people.example',
      subject: `${word} subject`,
      text_body: `${word} text`,
      html_body: `${word} html`,
      attachments: JSON.stringify([file]),
      unsubscribe_url: `https://${word}.example`,
      urgent: false,
      request_id: 'test',
      created_at: new Date('2026-03-01T12:00:00Z'),
    })
    .execute();
  const chief = await admin();
  return async () => ({
    mail: (await readMails((rows) => rows.where('id', '=', mailId))).map(
      ({ subject, text_body, html_body, attachments, unsubscribe_url }) => ({
        subject,
        text_body,
        html_body,
        attachments,
        unsubscribe_url,
      }),
    ),
    profile: await ownProfile(as(client)),
    session: await ownAppointments(as(client), selfOf(as(client)), [id]),
    asked: decryptRequest(
      system,
      await db
        .selectFrom('booking_requests')
        .selectAll()
        .where('id', '=', requestId)
        .executeTakeFirstOrThrow(),
    ),
    message: await requireMessage(chief, messageId),
    found: (await inbox(chief, { state: 'open', search: word, limit: 5 })).messages,
  });
}

test('seals plain text from earlier releases once, and reads it unchanged', async () => {
  const read = await storeInClear('zqclear');
  const before = await read();
  expect(JSON.stringify(before).match(/zqclear/g)).toHaveLength(17);
  expect(before.profile.mentalHealthFocus).toEqual(['zqclear, Grief', 'Sleep']);
  expect(await foundIn('zqclear')).toEqual([
    'appointments.cancel_reason',
    'appointments.moved_reason',
    'booking_requests.input',
    'contact_messages.message',
    'contact_messages.name',
    'contact_messages.note',
    'contact_messages.subject',
    'mails.attachments',
    'mails.html_body',
    'mails.subject',
    'mails.text_body',
    'mails.unsubscribe_url',
    'profiles.mental_health_focus',
    'profiles.spiritual_tradition',
  ]);
  expect(await sealClear(system)).toBeGreaterThanOrEqual(5);
  expect(await foundIn('zqclear')).toEqual([]);
  expect(await read()).toEqual(before);
  expect(await sealClear(system)).toBe(0);
});

test('prefers plain text written by an earlier release over the older sealed text', async () => {
  const client = await addClient(db);
  await updateProfile(as(client), { spiritualTradition: 'Before', mentalHealthFocus: ['Before'] });
  await db
    .updateTable('profiles')
    .set({ spiritual_tradition: 'After', mental_health_focus: ['After'] })
    .where('id', '=', client.id)
    .execute();
  const after = { spiritualTradition: 'After', mentalHealthFocus: ['After'] };
  expect(await ownProfile(as(client))).toMatchObject(after);
  await sealClear(system);
  expect(await ownProfile(as(client))).toMatchObject(after);
});

test('seals more than one batch, and binds each value to its row', { tags: ['long'] }, async () => {
  const rows = Array.from({ length: 1_003 }, (_, index) => ({
    id: newId(),
    form_id: newId(),
    name: `Name ${index}`,
    email: 'ann@people.example',
    subject: 'zqmany',
    message: 'Words',
    sent_at: new Date('2026-03-01T12:00:00Z'),
  }));
  await db.insertInto('contact_messages').values(rows).execute();
  expect(await sealClear(system)).toBe(1_003);
  const chief = await admin();
  for (const at of [0, 499, 500, 1_002])
    expect(await requireMessage(chief, rows[at]!.id)).toMatchObject({
      name: `Name ${at}`,
      subject: 'zqmany',
    });
});

test('seals each row once when two processes run', async () => {
  const read = await storeInClear('zqtwice');
  const before = await read();
  const sealed = await Promise.all([sealClear(system), sealClear(system)]);
  expect(sealed[0] + sealed[1]).toBe(5);
  expect(await read()).toEqual(before);
});

test('keeps a change made to a row while sealing it', async () => {
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const id = await addSession(db, { client, provider });
  const change = (reason: string) =>
    db.updateTable('appointments').set({ cancel_reason: reason }).where('id', '=', id).execute();
  await change('First');
  const changing = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      // Changes the row between read and write.
      if (result.rows.some((row) => row.id === id)) await change('Second');
      return result;
    },
  });
  expect(await sealClear({ db: changing, keyring: system.keyring })).toBe(0);
  const read = async () => (await ownAppointments(as(client), selfOf(as(client)), [id]))[0]!.cancelReason;
  expect(await read()).toBe('Second');
  expect(await sealClear(system)).toBe(1);
  expect(await read()).toBe('Second');
});
