import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { selfOf } from '#/features/access/rules.ts';
import { setPassword } from '#/features/accounts/commands.ts';
import { ownProfile, updateProfile } from '#/features/accounts/profile/commands.ts';
import {
  ownAppointments,
  sealed as sealedAppointments,
} from '#/features/appointments/appointment/queries.ts';
import { annotate, answer, receive } from '#/features/contact/commands.ts';
import { requireMessage } from '#/features/contact/policies.ts';
import { keySet } from '#/features/accounts/program-keys/commands.ts';
import { beginSecondFactor } from '#/features/accounts/second-factor/commands.ts';
import { demoPassword } from '#/features/accounts/demo.ts';
import { writeNote } from '#/features/care/notes/commands.ts';
import { noteOf } from '#/features/care/notes/queries.ts';
import { decryptRequest, sealedRequest } from '#/features/guest-booking/queries.ts';
import { addGoal } from '#/features/growth/goals/commands.ts';
import { goalOf } from '#/features/growth/goals/queries.ts';
import { writeEntry } from '#/features/growth/journal/commands.ts';
import { entryOf } from '#/features/growth/journal/queries.ts';
import { askPrayer, markPrayed } from '#/features/growth/prayers/commands.ts';
import { prayerOf } from '#/features/growth/prayers/queries.ts';
import { open as openConversation } from '#/features/messaging/commands.ts';
import { saveDraft } from '#/features/messaging/drafts/commands.ts';
import { draftOf } from '#/features/messaging/queries.ts';
import { requireMember } from '#/features/messaging/membership/policies.ts';
import { requireConversation } from '#/features/messaging/policies.ts';
import { newId } from '#/platform/clock.ts';
import { uploadDocument } from '#/features/providers/documents/commands.ts';
import { uploadAttachment } from '#/features/messaging/uploads/commands.ts';
import { answerAttachment } from '#/features/messaging/attachments/queries.ts';
import { openInEmergency } from '#/features/messaging/emergency/commands.ts';
import { emergencyPhrase } from '#/features/messaging/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import { openKeyring } from '#/platform/keyring.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { contentOf } from '#/platform/mail/sealing.ts';
import type { Keyrings } from '#/platform/sealed-column.ts';
import { pdf } from '../../tests/support/bytes.ts';
import { testDatabase } from '../../tests/support/database.ts';
import { addClient, addProvider } from '../../tests/support/people.ts';
import { unlocked } from '../../tests/support/words.ts';
import { addSession } from '../../tests/support/sessions.ts';
import { hashOf } from '../../tests/support/passwords.ts';
import { rekey, sealedColumns } from './rekey.ts';

const { db, as } = await testDatabase();
const key = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`;
/** Keyrings with the first key, both keys, and the second key. */
const [before, between, after] = ringsOf();

function ringsOf(): [Keyrings, Keyrings, Keyrings] {
  const [general, apart] = [
    [key('first'), key('second')],
    [key('first'), key('second')],
  ] as const;
  const rings = (keys: (of: readonly [string, string]) => string): Keyrings => ({
    keyring: openKeyring(keys(general)),
    privateNotes: openKeyring(keys(apart)),
  });
  return [rings(([one]) => one), rings(([one, two]) => `${two},${one}`), rings(([, two]) => two)];
}

async function sealedBy(id: string, { table, column }: (typeof sealedColumns)[number]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} like ${`${id}:%`}`.execute(db);
  return rows[0]!.count;
}

test(
  'reseals every text with the first key in batches, without changing its content',
  { tags: ['long'] },
  async () => {
    const [client, provider] = [await addClient(db), await addProvider(db)];
    const writing = { ...(await unlocked(as(client))), ...before };
    const goal = await addGoal(writing, { title: 'Walk', why: 'To be well', steps: [{ text: 'Shoes' }] });
    for (let number = 0; number < 30; number++) {
      await addGoal(writing, {
        title: `Goal ${number}`,
        steps: Array.from({ length: 30 }, (_, step) => ({ text: `Step ${step}` })),
      });
    }
    const entry = await writeEntry(writing, { title: 'A day', text: 'It was quiet.' });
    const prayer = await askPrayer(writing, {
      text: 'For rest',
      audience: 'counsellor',
      providerId: provider.id,
      showName: true,
    });
    const serving = { ...(await unlocked(as(provider))), ...before };
    await markPrayed(serving, prayer.id, 'This morning');
    await addSession(db, { client, provider });
    const told = { spiritualTradition: 'Waldensian', mentalHealthFocus: ['Grief'] };
    await updateProfile(writing, told);
    const notes = [];
    for (const kind of ['session', 'private'] as const)
      notes.push(await writeNote(serving, kind, { clientId: client.id, text: `${kind} words` }));

    const asked = { conversationId: newId(), withId: provider.id, subject: 'Rest', attachmentIds: [] };
    const conversation = await openConversation(
      writing,
      { ...asked, messageId: newId(), text: 'A quiet word' },
      1,
    );
    await saveDraft(writing, { conversationId: conversation.id, text: 'And another' });

    const query = new URLSearchParams({ conversationId: conversation.id, name: 'rest.pdf' });
    const file = await uploadAttachment(writing, { query, body: pdf() });
    const named = new URLSearchParams({ name: 'license.pdf' });
    await uploadDocument(writing, { query: named, body: pdf() });

    const admin = { ...(await addClient(db)), role: 'super_admin' as const };
    await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', admin.id).execute();
    await transact(as(admin), async (tx) => setPassword(tx, admin.id, await hashOf(demoPassword)));
    await openInEmergency(
      { ...as(admin), ...before },
      {
        firstEmail: `${client.id}@people.example`,
        secondEmail: `${provider.id}@people.example`,
        reason: 'Somebody may be in danger.',
        confirmation: emergencyPhrase,
        password: demoPassword,
      },
    );

    await db
      .updateTable('feature_flags')
      .set({ enabled: true, scope: 'global' })
      .where('id', '=', 'two_factor_authentication')
      .execute();
    await beginSecondFactor({ ...as(admin), ...before }, { password: demoPassword });
    await keySet({ ...as(admin), ...before });

    const link = { unsubscribeUrl: 'https://italk.example/u' };
    const enclosed = { filename: 'a.txt', contentType: 'text/plain', content: 'A file' };
    const words = { subject: 'Hello', text: 'Words', html: '<p>Words</p>' };
    await sendMail(writing, {
      key: 'one',
      kind: 'welcome',
      to: 'ann@people.example',
      ...words,
      ...link,
      attachments: [enclosed],
    });
    const [cancelled, wrote, asking] = await writeElsewhere(writing, { client, provider });

    expect(await rekey({ db, ...between }, sealedColumns)).toBe(
      2 + 30 + 901 + 2 + 1 + 1 + 2 + 3 + 2 + 1 + 2 + 1 + 2 + 2 + 1 + 1 + 5 + 5,
    );
    for (const column of sealedColumns) {
      expect(await sealedBy('second', column), `${column.table}.${column.column}`).toBeGreaterThan(0);
      expect(await sealedBy('first', column)).toBe(0);
    }
    expect(await rekey({ db, ...between }, sealedColumns)).toBe(0);

    const reading = { ...writing, ...after };
    const self = selfOf(reading);
    expect(await goalOf(reading, self, goal.id)).toEqual(goal);
    expect(await entryOf(reading, self, entry.id)).toEqual(entry);
    const attached = await answerAttachment(reading, new Request('http://x/'), file.id);
    expect(attached.headers.get('content-disposition')).toContain('rest.pdf');
    expect(Buffer.from(await attached.arrayBuffer()).equals(pdf())).toBe(true);
    expect((await prayerOf(reading, self, prayer.id)).prayed[0]).toMatchObject({ note: 'This morning' });
    expect(await requireConversation(reading, self, conversation.id)).toEqual(conversation);
    expect(await draftOf(reading, await requireMember(reading, conversation.id))).toEqual({
      text: 'And another',
    });
    expect(await ownProfile(reading)).toMatchObject(told);
    expect(await ownAppointments(reading, self, [cancelled])).toMatchObject([
      { cancelReason: 'Not well', movedReason: 'Their wish' },
    ]);
    expect(await requireMessage(reading, wrote)).toMatchObject({
      message: 'Hello',
      note: 'Answered',
      answers: [{ text: 'Gladly.' }],
    });
    const request = db.selectFrom('booking_requests').selectAll().where('id', '=', asking);
    expect(decryptRequest(reading, await request.executeTakeFirstOrThrow())).toEqual({ for: 'rest' });
    const mail = await db.selectFrom('mails').selectAll().executeTakeFirstOrThrow();
    expect(contentOf(reading, mail)).toEqual({ ...words, ...link, attachments: [enclosed] });
    const author = { ...serving, ...after };
    for (const [index, kind] of (['session', 'private'] as const).entries())
      expect(await noteOf(author, kind, selfOf(author), notes[index]!.id)).toEqual(notes[index]);
    for (const [index, kind] of (['session', 'private'] as const).entries())
      await expect(noteOf(serving, kind, selfOf(serving), notes[index]!.id)).rejects.toThrow('no key second');
  },
);

async function writeElsewhere(
  writing: Ctx,
  people: { client: { id: string }; provider: { id: string } },
): Promise<[string, string, string]> {
  const cancelled = await addSession(db, people);
  const { keyring } = writing;
  await db
    .updateTable('appointments')
    .set({
      sealed_cancel_reason: sealedAppointments.cancelReason.seal(keyring, cancelled, 'Not well'),
      sealed_moved_reason: sealedAppointments.movedReason.seal(keyring, cancelled, 'Their wish'),
    })
    .where('id', '=', cancelled)
    .execute();
  const written = { name: 'Ann', email: 'ann@people.example', subject: 'A word', message: 'Hello' };
  await transact(writing, (tx) => receive(tx, newId(), written, () => Promise.resolve(false)));
  const { id } = await db.selectFrom('contact_messages').select('id').executeTakeFirstOrThrow();
  const { client } = people;
  const chief: Ctx = {
    ...writing,
    actor: { kind: 'person', id: client.id, role: 'super_admin', sessionId: newId() },
  };
  await annotate(chief, { messageId: id, note: 'Answered', seen: '' });
  await answer(chief, { messageId: id, text: 'Gladly.', seen: 0 });
  const asking = newId();
  const asked = sealedRequest.seal(keyring, asking, JSON.stringify({ for: 'rest' }));
  await db
    .insertInto('booking_requests')
    .values({
      id: asking,
      email: 'ann@people.example',
      sealed_input: asked,
      created_at: new Date(),
      expires_at: new Date(),
    })
    .execute();
  return [cancelled, id, asking];
}

test('resumes after an interruption', async () => {
  const author = await unlocked(as(await addClient(db)));
  for (const text of ['One', 'Two']) await writeEntry({ ...author, ...before }, { text });
  await writeEntry({ ...author, ...after }, { text: 'Three' });
  expect(await rekey({ db, ...between }, sealedColumns)).toBe(2);
});

test('lists every sealed column, and binds each value to its row', () => {
  const sealing = globSync('src/{features,app}/**/*.ts', {
    exclude: (file) => file.endsWith('.test.ts'),
  }).filter((path) => /\b(?:keyring|privateNotes)\.(?:seal|open)\(/.test(readFileSync(path, 'utf8')));
  expect(sealing.toSorted()).toEqual([
    // A waiting SAML response; gone within minutes.
    'src/features/accounts/openid/commands.ts',
    // Seals audit anchors, which aren't re-encrypted: verification reads only the latest, and new ones use the first
    // key.
    'src/features/audit/chain/commands.ts',
    'src/features/audit/chain/queries.ts',
    // Not stored: a log download's filters travel sealed in its URL.
    'src/features/audit/log/commands.ts',
    // Not stored: the contact form's token travels with the form.
    'src/features/contact/commands.ts',
  ]);
  for (const { table, column, ring, seal, open } of sealedColumns) {
    const text = seal(after[ring], 'one', 'words');
    expect(after[ring].open(text, `${table}.${column}:one`)).toBe('words');
    expect(() => open(after[ring], 'another', text)).toThrow('unable to authenticate data');
  }
});
