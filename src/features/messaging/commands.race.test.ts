import { expect, test } from 'vitest';
import { selfOf } from '#/features/access/rules.ts';
import { newId } from '#/platform/clock.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient, addProvider } from '../../../tests/support/people.ts';
import { proving } from '../../../tests/support/prove.ts';
import { open, read, send } from './commands.ts';
import { requireMember } from './membership/policies.ts';
import { requireConversation } from './policies.ts';
import { messagesOf, unreadOf } from './queries.ts';

const { db, as } = await testDatabase({ poolSize: 12 });

const senders = 10;
const each = proving ? 40 : 12;

test(
  'keeps numbering gapless, unique and counted with ten senders retrying at once',
  { tags: ['long'] },
  async () => {
    const [client, provider] = [await addClient(db), await addProvider(db)];
    const first = { conversationId: newId(), withId: provider.id, subject: 'All at once', attachmentIds: [] };
    const { id } = await open(as(client), { ...first, messageId: newId(), text: 'first' }, 1);
    const sides = [client, provider];
    const seqs: number[][] = [];
    await Promise.all(
      Array.from({ length: senders }, async (_, sender) => {
        const own: number[] = (seqs[sender] = []);
        for (let count = 0; count < each; count++) {
          const written = { messageId: newId(), text: `${sender}.${count}`, attachmentIds: [] };
          const input = { conversationId: id, ...written };
          const [one, two] = await Promise.all([
            send(as(sides[sender % 2]!), input, 1_000),
            send(as(sides[sender % 2]!), input, 1_000),
          ]);
          expect(two).toEqual(one);
          own.push(one.seq);
          if (count % 10 === 5) await read(as(sides[sender % 2]!), { conversationId: id, seq: one.seq - 2 });
        }
      }),
    );
    const rows = await db
      .selectFrom('messages')
      .select(['seq', 'from_client'])
      .where('conversation_id', '=', id)
      .orderBy('seq')
      .execute();
    expect(rows.map(({ seq }) => seq)).toEqual(
      Array.from({ length: senders * each + 1 }, (_, index) => index + 1),
    );
    // Each sender's messages keep their order.
    for (const own of seqs) expect(own).toEqual(own.toSorted((a, b) => a - b));
    for (const who of sides) {
      const [ctx, self] = [as(who), selfOf(as(who))];
      const { lastSeq, readSeq, unread } = await requireConversation(ctx, self, id);
      expect(lastSeq).toBe(rows.length);
      const others = rows.filter(({ seq, from_client }) => seq > readSeq && from_client !== (who === client));
      expect(readSeq).toBeGreaterThan(0);
      expect(unread).toBe(others.length);
      expect(await unreadOf(ctx, self)).toEqual({ messages: others.length, conversations: 1 });
      // Catching up from any `seq` returns the rest in order.
      const { messages } = await messagesOf(ctx, await requireMember(ctx, id), { after: 20, limit: 100 });
      expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, index) => index + 21));
    }
  },
);
