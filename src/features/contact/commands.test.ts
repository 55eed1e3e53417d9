import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { annotate, answer, close, issueForm, reopen, send, undoAnswer } from './commands.ts';
import type { SendInput } from './contract.ts';
import { contactPersonal } from './personal.ts';
import { findSolution } from './proof/rules.ts';
import { requireMessage } from './policies.ts';
import { inbox, sealed } from './queries.ts';

const { db, as, setNow, runJobs, readMails } = await testDatabase({ appUrl: 'https://italk.example' });
const start = Temporal.Instant.from('2026-03-02T12:00:00Z');
const guest = (address = '203.0.113.7') => ({ ...as({ kind: 'guest' }), address });
let clock = start;

/** Advances the clock. Each test starts on a new day to avoid rate limits from earlier tests. */
function pass(time: Temporal.DurationLike): void {
  clock = clock.add(time);
  setNow(clock.toString());
}

beforeEach(async () => {
  pass({ hours: 48 });
  await db.deleteFrom('mails').execute();
  await db.deleteFrom('contact_messages').execute();
});

/** A completed form, opened ten seconds ago and with its challenge solved. */
function filled(over: Partial<SendInput> = {}): SendInput {
  const { token, challenge } = issueForm(guest());
  pass({ seconds: 10 });
  return {
    name: 'Ruth Amsel',
    email: 'ruth@amsel.example',
    subject: 'A question about grief',
    message: 'My mother died in May.\n\nWhom could I talk to?',
    token,
    solution: findSolution(challenge, 1, 10_000_000)!,
    website: '',
    ...over,
  };
}

const stored = () => db.selectFrom('contact_messages').selectAll().execute();
const mails = async () => {
  await runJobs();
  return readMails((rows) => rows.clearOrderBy().orderBy('key'));
};

async function admin() {
  const chief = await addClient(db);
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', chief.id).execute();
  return as({ ...chief, role: 'super_admin' });
}

describe('a message', () => {
  test('is stored, emailed to support and answered with a receipt quoting nothing', async () => {
    await send(guest(), filled(), 1);
    const [row] = await stored();
    expect(row).toMatchObject({ name: '', message: '', state: 'open', person_id: null, note: '' });
    expect(JSON.stringify(row)).not.toMatch(/Ruth Amsel|grief|mother/);
    const [receipt, support] = await mails();
    expect(support).toMatchObject({
      recipient: 'support@italk.example',
      reply_to: 'ruth@amsel.example',
      subject: 'New message from the contact form',
    });
    expect(support!.text_body).toContain('My mother died in May.\n\nWhom could I talk to?');
    expect(support!.text_body).toContain(`https://italk.example/admin/inbox?message=${row!.id}`);
    expect(receipt).toMatchObject({ recipient: 'ruth@amsel.example', reply_to: null });
    for (const typed of ['Ruth', 'grief', 'mother', 'amsel']) {
      expect(`${receipt!.subject}${receipt!.text_body}${receipt!.html_body}`).not.toContain(typed);
    }
  });

  test('leaves only ids in the audit log', async () => {
    await send(guest(), filled(), 1);
    const [row] = await stored();
    const [entry] = await db
      .selectFrom('audit_entries')
      .selectAll()
      .where('subject_id', '=', row!.id)
      .orderBy('id')
      .execute();
    expect(entry).toMatchObject({ action: 'contact.received', actor_kind: 'guest', details: {} });
  });

  test('from a signed-in person records their account', async () => {
    const client = await addClient(db);
    await send(as(client), filled(), 1);
    expect(await stored()).toMatchObject([{ person_id: client.id }]);
  });

  test('sent again after a lost answer is stored once', async () => {
    const input = filled();
    const first = await send(guest(), input, 1);
    pass({ seconds: 5 });
    // More often than messages an hour are allowed.
    for (let n = 0; n < 6; n++) expect(await send(guest(), input, 1)).toEqual(first);
    expect(await stored()).toHaveLength(1);
    expect(await mails()).toHaveLength(2);
  });
});

describe('a bot', () => {
  const refused: [what: string, reason: string, input: () => SendInput][] = [
    ['that makes up a token', 'form_unknown', () => filled({ token: 'own:bm90IG91cnM' })],
    ['that changes a token', 'form_unknown', () => flipped(filled())],
    ['that fills every field', 'form_filled_by_robot', () => filled({ website: 'https://spam.example' })],
    ['that solves nothing', 'form_unsolved', () => filled({ solution: 1 })],
    [
      'that is quicker than a person',
      'form_too_quick',
      () => {
        const { token, challenge } = issueForm(guest());
        pass({ seconds: 2 });
        return filled0({ token, solution: findSolution(challenge, 1, 10_000_000)! });
      },
    ],
    [
      'that keeps a form for later',
      'form_expired',
      () => {
        const input = filled();
        pass({ hours: 2 });
        return input;
      },
    ],
  ];

  const filled0 = (over: Pick<SendInput, 'token' | 'solution'>): SendInput => ({
    name: 'R',
    email: 'r@amsel.example',
    subject: 'S',
    message: 'M',
    website: '',
    ...over,
  });

  test.each(refused)('%s is rejected without storing or emailing', async (_, reason, input) => {
    expect(await refusalOf(send(guest(), input(), 1))).toMatchObject({ code: 'precondition', reason });
    expect(await stored()).toEqual([]);
    expect(await mails()).toEqual([]);
  });

  test('rejects a solution reused for another message', async () => {
    const input = filled();
    await send(guest(), input, 1);
    const again = send(guest(), { ...input, message: 'Buy this.' }, 1);
    expect(await refusalOf(again)).toMatchObject({ code: 'precondition', reason: 'form_used' });
    expect(await stored()).toHaveLength(1);
  });

  test('stores one message when the form is sent many times at once', async () => {
    const input = filled();
    await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => send(guest(), { ...input, message: `Buy ${n}.` }, 100)),
    );
    expect(await stored()).toHaveLength(1);
    expect(await mails()).toHaveLength(2);
  });

  const flipped = (input: SendInput): SendInput => ({
    ...input,
    token: input.token
      .replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
      .replace(/:(.)/, (_, one: string) => `:${one === 'x' ? 'y' : 'x'}`),
  });
});

describe('limits', () => {
  test('allow five messages an hour per network, independently of others', { tags: ['long'] }, async () => {
    for (let n = 0; n < 5; n++) await send(guest(), filled({ email: `a${n}@b.example` }), 1);
    expect(await refusalOf(send(guest(), filled(), 1))).toMatchObject({
      code: 'rate_limited',
      reason: 'too_many_messages',
    });
    await send(guest('198.51.100.4'), filled(), 1);
    pass({ hours: 1 });
    await send(guest(), filled(), 1);
    expect(await stored()).toHaveLength(7);
  });

  test('count an IPv6 network as one', { tags: ['long'] }, async () => {
    for (let n = 0; n < 5; n++)
      await send(guest(`2001:db8:1:2::${n}`), filled({ email: `a${n}@b.example` }), 1);
    expect(await refusalOf(send(guest('2001:db8:1:2:ffff::1'), filled(), 1))).toMatchObject({
      code: 'rate_limited',
    });
  });

  test('allow two receipts a day per address, from any network', { tags: ['long'] }, async () => {
    for (let n = 0; n < 6; n++) {
      await send(
        guest(`198.51.100.${n}`),
        filled({ email: n % 2 ? 'victim@c.example' : 'Victim@C.example' }),
        1,
      );
    }
    const sent = await mails();
    expect(sent.filter(({ recipient }) => /victim/i.test(recipient))).toHaveLength(2);
    // The support inbox still received every message.
    expect(sent.filter(({ recipient }) => recipient === 'support@italk.example')).toHaveLength(6);
  });
});

describe('the inbox', () => {
  test('lists newest first in pages, and searches case-insensitively', { tags: ['long'] }, async () => {
    const chief = await admin();
    for (let n = 1; n <= 5; n++) {
      await send(
        guest(),
        filled({ subject: `Number ${n}`, message: n === 2 ? 'About 100% SÖREN_x' : 'Other' }),
        10,
      );
    }
    const all = { state: 'open', search: '', limit: 2 } as const;
    const first = await inbox(chief, all);
    expect(first.open).toBe(5);
    const second = await inbox(chief, { ...all, ...first.next });
    const third = await inbox(chief, { ...all, ...second.next });
    await expect(inbox(chief, { ...all, lastId: first.messages[1]!.id })).rejects.toMatchObject({
      code: 'invalid',
    });
    expect(third.next).toBeNull();
    const yearZero = { lastSentAt: '0000-01-01T00:00:00Z', lastId: first.messages[0]!.id };
    expect(await inbox(chief, { ...all, ...yearZero })).toMatchObject({ messages: [] });
    const pages = [first, second, third].flatMap(({ messages }) => messages.map(({ subject }) => subject));
    expect(pages).toEqual(['Number 5', 'Number 4', 'Number 3', 'Number 2', 'Number 1']);
    const found = async (search: string) =>
      (await inbox(chief, { ...all, search, limit: 10 })).messages.map(({ subject }) => subject);
    expect(await found('sören_')).toEqual(['Number 2']);
    expect(await found('100%')).toEqual(['Number 2']);
    // Searches need at least three characters.
    expect(await found('%')).toHaveLength(5);
    expect(await found('00% ')).toEqual(['Number 2']);
    expect(await found('ruth@amsel')).toHaveLength(5);
    expect(await found('nothing of it')).toEqual([]);
    // A page's last message can be deleted before the next page loads.
    await db.deleteFrom('contact_messages').where('id', '=', second.messages[1]!.id).execute();
    expect(await inbox(chief, { ...all, ...second.next })).toMatchObject({ messages: third.messages });
  });

  test('searches a bounded number of messages per call, then continues', async () => {
    const chief = await admin();
    const system = as({ kind: 'system' });
    const [wanted] = [await receiveMany(1, 'A needle'), await receiveMany(1_250, 'Hay')];
    const first = await inbox(chief, { state: 'open', search: 'needle', limit: 25 });
    expect(first).toMatchObject({ messages: [], open: 1_251 });
    expect(first.next).not.toBeNull();
    const second = await inbox(chief, { state: 'open', search: 'needle', limit: 25, ...first.next });
    expect(second).toMatchObject({ messages: [{ id: wanted[0], subject: 'A needle' }], next: null });

    async function receiveMany(count: number, subject: string): Promise<string[]> {
      pass({ minutes: 1 });
      const rows = Array.from({ length: count }, () => {
        const id = newId();
        return {
          id,
          form_id: newId(),
          email: 'ruth@amsel.example',
          sealed_name: sealed.name.seal(system.keyring, id, 'Ruth'),
          sealed_subject: sealed.subject.seal(system.keyring, id, subject),
          sealed_message: sealed.message.seal(system.keyring, id, 'Words'),
          sent_at: new Date(clock.epochMilliseconds),
        };
      });
      await db.insertInto('contact_messages').values(rows).execute();
      return rows.map(({ id }) => id);
    }
  });

  test('finds each word, ignoring diacritics', async () => {
    const chief = await admin();
    await send(guest(), filled({ name: 'Søren Élise', message: 'A walk, every Thursday' }), 1);
    const found = async (search: string) =>
      (await inbox(chief, { state: 'open', search, limit: 10 })).messages.length;
    expect(await found('thursday elise')).toBe(1);
    expect(await found('thursday run')).toBe(0);
  });

  test('closes, reopens and annotates messages, logging each action once', async () => {
    const chief = await admin();
    await send(guest(), filled(), 1);
    const id = (await stored())[0]!.id;
    const closed = await close(chief, id);
    expect(closed).toMatchObject({ state: 'closed', closed: { at: clock.toString() } });
    pass({ minutes: 1 });
    expect(await close(chief, id)).toEqual(closed);
    expect(await annotate(chief, { messageId: id, note: 'Called back.', seen: '' })).toMatchObject({
      note: 'Called back.',
      state: 'closed',
    });
    expect(await reopen(chief, id)).toMatchObject({ state: 'open', closed: null, note: 'Called back.' });
    const acts = await db
      .selectFrom('audit_entries')
      .select('action')
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute();
    expect(acts.map(({ action }) => action)).toEqual([
      'contact.received',
      'contact.closed',
      'contact.annotated',
      'contact.reopened',
    ]);
  });

  test('keeps an internal note that its writer has not seen', async () => {
    const chief = await admin();
    await send(guest(), filled(), 1);
    const messageId = (await stored())[0]!.id;
    await annotate(chief, { messageId, note: 'Called back.', seen: '' });
    const other = { messageId, note: 'Is a member.', seen: '' };
    expect(await refusalOf(annotate(await admin(), other))).toMatchObject({ reason: 'annotated_meanwhile' });
    expect(await requireMessage(chief, messageId)).toMatchObject({ note: 'Called back.' });
    await annotate(chief, { ...other, seen: 'Called back.' });
    expect(await annotate(chief, other)).toMatchObject({ note: 'Is a member.' });
  });

  test('is closed to others and returns not_found for missing messages', async () => {
    const client = await addClient(db);
    await send(guest(), filled(), 1);
    const id = (await stored())[0]!.id;
    expect(await refusalOf(close(as(client), id))).toMatchObject({ code: 'forbidden' });
    const chief = await admin();
    expect(await refusalOf(close(chief, newId()))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(requireMessage(chief, newId()))).toMatchObject({ code: 'not_found' });
  });
});

describe('an answer', () => {
  async function received() {
    const chief = await admin();
    await send(guest(), filled(), 1);
    await mails();
    const { id } = (await stored())[0]!;
    return { chief, id };
  }
  const text = 'I’m so sorry.\n\nDr. Vale knows grief well.';
  const answered = async () =>
    (await mails()).filter(({ subject }) => subject === 'Our answer to your message');

  test('is kept sealed, marks the message answered and is emailed once, with nothing private in its subject', async () => {
    const { chief, id } = await received();
    const opened = await answer(chief, { messageId: id, text, seen: 0 });
    expect(opened).toMatchObject({
      state: 'answered',
      answers: [{ text, mailedAt: null, author: { id: chief.actor.kind === 'person' && chief.actor.id } }],
    });
    expect(JSON.stringify(await db.selectFrom('contact_answers').selectAll().execute())).not.toContain(
      'grief',
    );
    const { rows } = await sql<{ start_after: Date }>`
      select start_after from jobs.job where name = 'contact.answer' and state = 'created'`.execute(db);
    expect(rows).toEqual([{ start_after: new Date(clock.add({ seconds: 15 }).epochMilliseconds) }]);
    const [mail, ...others] = await answered();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      recipient: 'ruth@amsel.example',
      reply_to: 'support@italk.example',
      kind: 'contact_answer',
    });
    expect(mail!.text_body).toContain('I’m so sorry.\n\nDr. Vale knows grief well.');
    // The address may be mistyped.
    expect(mail!.text_body).not.toContain('My mother died');
    expect((await requireMessage(chief, id)).answers).toMatchObject([{ mailedAt: clock.toString() }]);
    expect(await inbox(chief, { state: 'answered', search: '', limit: 5 })).toMatchObject({
      messages: [{ id }],
      open: 0,
    });
  });

  test('can be undone until it’s emailed', async () => {
    const { chief, id } = await received();
    const [first] = (await answer(chief, { messageId: id, text, seen: 0 })).answers;
    expect(await undoAnswer(chief, first!.id)).toMatchObject({ state: 'open', answers: [] });
    expect(await answered()).toEqual([]);
    expect(await refusalOf(undoAnswer(chief, first!.id))).toMatchObject({ code: 'not_found' });
    const [second] = (await answer(chief, { messageId: id, text, seen: 0 })).answers;
    expect(await answered()).toHaveLength(1);
    expect(await refusalOf(undoAnswer(chief, second!.id))).toMatchObject({
      code: 'conflict',
      reason: 'already_mailed',
    });
  });

  test.each(['closed', 'reopened'])('leaves a %s message as it was when undone', async (how) => {
    const { chief, id } = await received();
    const state = how === 'closed' ? 'closed' : 'open';
    const first = await answer(chief, { messageId: id, text, seen: 0 });
    await (state === 'closed' ? close(chief, id) : reopen(chief, id));
    const { answers } = await answer(chief, { messageId: id, text, seen: 1 });
    expect(await undoAnswer(chief, answers.at(-1)!.id)).toMatchObject({ state, answers: first.answers });
  });

  test('keeps a message answered until its last answer is undone', async () => {
    const { chief, id } = await received();
    await answer(chief, { messageId: id, text, seen: 0 });
    const [first, second] = (await answer(chief, { messageId: id, text, seen: 1 })).answers;
    expect(await undoAnswer(chief, first!.id)).toMatchObject({ state: 'answered' });
    expect(await undoAnswer(chief, second!.id)).toMatchObject({ state: 'open', answers: [] });
  });

  test.each([
    ['in first order', [0, 1, 2]],
    ['in last order', [2, 1, 0]],
    ['in any order', [1, 0, 2]],
  ])('closes a closed message again once all its answers are undone, %s', async (_, order) => {
    const { chief, id } = await received();
    await close(chief, id);
    for (const seen of [0, 1]) await answer(chief, { messageId: id, text, seen });
    const { answers } = await answer(chief, { messageId: id, text, seen: 2 });
    for (const [turn, index] of order.entries())
      expect(await undoAnswer(chief, answers[index]!.id)).toMatchObject({
        state: turn < 2 ? 'answered' : 'closed',
      });
  });

  test('is refused if another administrator answered meanwhile', async () => {
    const { chief, id } = await received();
    const ends = await Promise.allSettled(
      [chief, await admin()].map((who) => answer(who, { messageId: id, text, seen: 0 })),
    );
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await refusalOf(answer(chief, { messageId: id, text, seen: 0 }))).toMatchObject({
      code: 'conflict',
      reason: 'answered_meanwhile',
    });
    expect(await answer(chief, { messageId: id, text: 'More.', seen: 1 })).toMatchObject({
      answers: [{ text }, { text: 'More.' }],
    });
  });

  test('sent again after a lost answer is stored and emailed once', async () => {
    const { chief, id } = await received();
    const sent = { messageId: id, answerId: newId(), text, seen: 0 };
    const first = await answer(chief, sent);
    expect(first.answers).toMatchObject([{ id: sent.answerId }]);
    // The page may show it already.
    for (const seen of [0, 1]) expect(await answer(chief, { ...sent, seen })).toEqual(first);
    await send(guest(), filled(), 1);
    const other = (await stored()).find((row) => row.id !== id)!.id;
    const another = await admin();
    for (const [who, changed] of [
      [chief, { text: 'Other words', seen: 1 }],
      [another, { seen: 1 }],
      [chief, { messageId: other }],
    ] as const)
      expect(await refusalOf(answer(who, { ...sent, ...changed }))).toMatchObject({
        code: 'conflict',
        reason: 'answered_meanwhile',
      });
    expect(await answered()).toHaveLength(1);
  });

  test('reopens a closed message as answered, logging ids only', async () => {
    const { chief, id } = await received();
    await close(chief, id);
    expect(await answer(chief, { messageId: id, text, seen: 0 })).toMatchObject({
      state: 'answered',
      closed: null,
    });
    const { details } = await db
      .selectFrom('audit_entries')
      .select('details')
      .where('subject_id', '=', id)
      .where('action', '=', 'contact.answered')
      .executeTakeFirstOrThrow();
    expect(details).toEqual({ state: 'closed → answered' });
  });

  test('is written and undone only by administrators', async () => {
    const { chief, id } = await received();
    const client = as(await addClient(db));
    const [first] = (await answer(chief, { messageId: id, text, seen: 0 })).answers;
    for (const act of [
      answer(client, { messageId: id, text, seen: 1 }),
      undoAnswer(client, first!.id),
      answer(guest(), { messageId: id, text, seen: 1 }),
    ])
      expect((await refusalOf(act))?.code).toMatch(/^(forbidden|unauthenticated)$/);
    expect(await refusalOf(answer(chief, { messageId: newId(), text, seen: 0 }))).toMatchObject({
      code: 'not_found',
    });
  });

  test('is in the person’s archive once emailed, and erased with the message, even unsent', async () => {
    const client = await addClient(db);
    await send(as(client), filled(), 1);
    const { id } = (await stored())[0]!;
    const chief = await admin();
    await answer(chief, { messageId: id, text, seen: 0 });
    const archived = async () =>
      (await contactPersonal.collect(as({ kind: 'system' }), client.id)).tables.contact_answers!;
    expect(await archived()).toEqual([]);
    expect(await answered()).toHaveLength(1);
    expect(await archived()).toMatchObject([{ text }]);
    await transact(as({ kind: 'system' }), (tx) => contactPersonal.erase(tx, client.id));
    expect(await db.selectFrom('contact_answers').selectAll().execute()).toEqual([]);
    expect(await answered()).toEqual([]);
  });
});

describe('a person’s own messages', () => {
  test('include those of their account and their verified address', async () => {
    const client = await addClient(db);
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', client.id)
      .executeTakeFirstOrThrow();
    await send(as(client), filled({ email: 'elsewhere@c.example', subject: 'Signed in' }), 1);
    await send(guest(), filled({ email: email.toUpperCase(), subject: 'By address' }), 1);
    await send(guest(), filled({ subject: 'Somebody else' }), 1);
    const subjects = async () =>
      (await contactPersonal.collect(as({ kind: 'system' }), client.id)).tables.contact_messages!.map(
        ({ subject }) => subject,
      );
    expect(await subjects()).toEqual(['Signed in']);
    await db.updateTable('users').set({ email_verified: true }).where('id', '=', client.id).execute();
    expect(await subjects()).toEqual(['Signed in', 'By address']);

    await transact(as({ kind: 'system' }), (tx) => contactPersonal.erase(tx, client.id));
    expect((await inbox(await admin(), { state: 'open', search: '', limit: 9 })).messages).toMatchObject([
      { subject: 'Somebody else' },
    ]);
  });

  test('exclude staff notes, which the archive lists as omitted', async () => {
    const client = await addClient(db);
    await send(as(client), filled(), 1);
    const messageId = (await stored())[0]!.id;
    await annotate(await admin(), { messageId, note: 'Somewhat upset.', seen: '' });
    const { tables, leftOut } = await contactPersonal.collect(as({ kind: 'system' }), client.id);
    expect(JSON.stringify(tables)).not.toContain('upset');
    expect(leftOut).toHaveLength(1);
  });
});
