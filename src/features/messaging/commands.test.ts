import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient, addProvider, type Person, type ProviderTerms } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { addSession } from '../../../tests/support/sessions.ts';
import { selfOf } from '#/features/access/rules.ts';
import { open, read, send } from './commands.ts';
import { memberOf } from './membership/queries.ts';
import { conversationOf, messagesOf, unreadOf } from './queries.ts';

const { db, as, setNow } = await testDatabase({ now: '2026-03-02T12:00:00Z' });

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await db.deleteFrom('rate_limits').execute();
});

/** A client and a provider who is listed. */
async function twoPeople(terms: ProviderTerms = {}): Promise<{ client: Person; provider: Person }> {
  return { client: await addClient(db), provider: await addProvider(db, terms) };
}

const written = (text: string) => ({ messageId: newId(), text, attachmentIds: [] });

/** Opens a conversation and returns its id. */
async function begun(from: Person, to: Person, text = 'May I ask you something?'): Promise<string> {
  const asked = { conversationId: newId(), withId: to.id, subject: 'Sleep', ...written(text) };
  return (await open(as(from), asked, 1)).id;
}

const say = (who: Person, conversationId: string, text: string) =>
  send(as(who), { conversationId, ...written(text) }, 1000);

const seen = (who: Person, id: string) => conversationOf(as(who), selfOf(as(who)), id);

async function listed(who: Person, conversationId: string) {
  const { messages } = await messagesOf(as(who), await memberOf(as(who), conversationId), { limit: 200 });
  return messages;
}

describe('a conversation', () => {
  test('is opened with its first message, and read by both', async () => {
    const { client, provider } = await twoPeople();
    const id = await begun(client, provider);
    expect(await seen(client, id)).toMatchObject({
      subject: 'Sleep',
      with: { id: provider.id, title: 'Psychologist', kind: 'doctor', erased: false },
      last: { mine: true, text: 'May I ask you something?', attachments: 0 },
      lastSeq: 1,
      unread: 0,
      closed: null,
    });
    expect(await seen(provider, id)).toMatchObject({
      with: { id: client.id, title: null, kind: null },
      last: { mine: false },
      unread: 1,
      readSeq: 0,
    });
    await say(provider, id, 'Of course.');
    await read(as(provider), { conversationId: id, seq: 2 });
    expect((await listed(client, id)).map(({ seq, mine, text }) => [seq, mine, text])).toEqual([
      [1, true, 'May I ask you something?'],
      [2, false, 'Of course.'],
    ]);
    expect(await unreadOf(as(client), selfOf(as(client)))).toEqual({ messages: 1, conversations: 1 });
    expect(await unreadOf(as(provider), selfOf(as(provider)))).toEqual({ messages: 0, conversations: 0 });
    expect(await seen(client, id)).toMatchObject({ readByOther: 2 });
  });
});
