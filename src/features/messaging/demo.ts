import type { Role } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { open, read, send } from './commands.ts';

interface DemoPerson {
  id: string;
  role: Role;
}

/** The demo client writes with three specialists, `others` with the first two; missing people are skipped. */
export interface DemoLetters {
  client: { id: string };
  doctor: { id: string };
  pastor: { id: string };
  third: { id: string };
  others: readonly { id: string }[];
}

type Line = readonly [from: 'client' | 'specialist', hoursAgo: number, text: string];

/** The last message stays unread unless the conversation has `ended`. */
interface DemoConversation<Client, Specialist> {
  client: Client;
  specialist: Specialist;
  subject: string;
  ended?: boolean;
  lines: readonly [Line, ...Line[]];
}

const noLimit = 1_000;

export async function seedMessages(ctx: Ctx, people: DemoLetters): Promise<void> {
  for (const conversation of conversationsOf(people)) await seed(ctx, conversation);
}

async function seed(
  ctx: Ctx,
  { client, specialist, subject, ended, lines }: DemoConversation<DemoPerson, DemoPerson>,
): Promise<void> {
  const as = ({ id, role }: DemoPerson, hoursAgo: number): Ctx => {
    const at = ctx.now().subtract({ minutes: Math.round(hoursAgo * 60) });
    return { ...ctx, actor: { kind: 'person', id, role, sessionId: ctx.newId() }, now: () => at };
  };
  const conversationId = ctx.newId();
  for (const [index, [from, hoursAgo, text]] of lines.entries()) {
    const [writer, reader] = from === 'client' ? [client, specialist] : [specialist, client];
    const written = { conversationId, messageId: ctx.newId(), text, attachmentIds: [] };
    const writing = as(writer, hoursAgo);
    // Replying implies having read the earlier messages.
    if (index > 0) await read(writing, { conversationId, seq: index });
    if (index === 0) await open(writing, { ...written, withId: reader.id, subject }, noLimit);
    else await send(writing, written, noLimit);
    if (ended && index === lines.length - 1)
      await read(as(reader, hoursAgo - 1), { conversationId, seq: lines.length });
  }
}

function conversationsOf({
  client,
  doctor,
  pastor,
  third,
  others,
}: DemoLetters): DemoConversation<DemoPerson, DemoPerson>[] {
  const [grace, michael, elena, joshua] = others;
  const clients = { hannah: client, grace, michael, elena, joshua };
  const specialists: Record<SpecialistName, DemoPerson> = {
    sarah: { ...doctor, role: 'doctor' },
    daniel: { ...pastor, role: 'pastor' },
    third: { ...third, role: 'doctor' },
  };
  return conversations.flatMap((conversation) => {
    const person = clients[conversation.client];
    if (!person) return [];
    const specialist = specialists[conversation.specialist];
    return [{ ...conversation, client: { id: person.id, role: 'client' }, specialist }];
  });
}

type ClientName = 'hannah' | 'grace' | 'michael' | 'elena' | 'joshua';
type SpecialistName = 'sarah' | 'daniel' | 'third';

const conversations: readonly DemoConversation<ClientName, SpecialistName>[] = [
  {
    client: 'hannah',
    specialist: 'third',
    subject: 'A first question',
    ended: true,
    lines: [
      [
        'client',
        147,
        'Hello. My husband and I aren’t sure whether to come together the first time or separately. What do most couples do?',
      ],
      [
        'specialist',
        143.5,
        'Thank you for asking. Most couples come together the first time, so both hear the same things. If one of you would rather start alone, that’s fine too.',
      ],
      ['client', 143, 'That helps. We’ll talk about it this weekend.'],
      ['specialist', 121, 'Take your time. Whenever you’re ready, my open times are on my page.'],
    ],
  },
  {
    client: 'hannah',
    specialist: 'sarah',
    subject: 'How the nights are going',
    lines: [
      [
        'client',
        75,
        'You asked me to write a line a day about the nights. Five hours the first night, six the second. The fixed bedtime helps more than I expected.',
      ],
      [
        'specialist',
        71,
        'Six hours is good news, Hannah. Stick to the bedtime, even on weekends, and be kind to yourself on the nights it doesn’t work.',
      ],
      [
        'client',
        29,
        'Last night I was awake again from three on. I got up and read the psalm we talked about, like you said, and it felt less lonely.',
      ],
      [
        'specialist',
        2.5,
        'Getting up was the right thing to do. One night is just one night. It doesn’t undo what you’ve started. Write down what you told yourself at three o’clock, word for word.',
      ],
      ['specialist', 2.4, 'We’ll look at it together next time. Until then, keep up the evening walk.'],
    ],
  },
  {
    client: 'hannah',
    specialist: 'daniel',
    subject: 'Thank you from both of us',
    lines: [
      [
        'client',
        52,
        'Thank you for praying with us at our last session. My mother wants to know how she can thank you. She had a calm day.',
      ],
      [
        'specialist',
        47,
        'Tell her that her smile was thanks enough. I’m keeping you both in my prayers this week. “The Lord is near to those who have a broken heart.”',
      ],
      ['client', 26, 'I told her, and she smiled again. The results come back next week.'],
      [
        'specialist',
        5,
        'Then I’ll be praying for next week. Write to me when you know, whatever it is. You don’t have to wait alone.',
      ],
    ],
  },
  {
    client: 'grace',
    specialist: 'sarah',
    subject: 'Morning breathing exercise',
    lines: [
      [
        'client',
        31,
        'I’ve tried the breathing in the mornings. Four counts in is easy, but six counts out makes me dizzy. Am I doing it wrong?',
      ],
      ['specialist', 28, 'Not at all. Try three in and four out, and do it sitting down.'],
      ['client', 1.2, 'Three and four is much better. I did it on the bus today, and nobody noticed!'],
    ],
  },
  {
    client: 'michael',
    specialist: 'sarah',
    subject: 'Our next session',
    lines: [
      [
        'client',
        9,
        'My shift changed, and I may be a few minutes late next week. Should I move the session, or is that okay with you?',
      ],
    ],
  },
  {
    client: 'michael',
    specialist: 'daniel',
    subject: 'A verse for my brother',
    lines: [
      [
        'client',
        54,
        'My brother starts treatment next week. Is there a verse I could write on a card for him?',
      ],
      [
        'specialist',
        50,
        'Isaiah 43:2 has carried many people: “When you pass through the waters, I will be with you.” Write it by hand, and sign your name.',
      ],
      ['client', 6.5, 'I wrote it out, and he keeps it in his wallet. Thank you.'],
    ],
  },
  {
    client: 'elena',
    specialist: 'daniel',
    subject: 'The evening group',
    lines: [
      [
        'client',
        13,
        'Is there somewhere I could pray with others in the evening? I’m new in town and don’t know anyone yet.',
      ],
      ['client', 12.8, 'Wednesdays would be best, but other days work too.'],
    ],
  },
  {
    client: 'joshua',
    specialist: 'sarah',
    subject: 'What helped',
    ended: true,
    lines: [
      [
        'client',
        98,
        'I wanted to tell you I slept through the night two nights in a row. It’s the first time since March.',
      ],
      ['specialist', 95, 'Joshua, I’m so glad. Thank you for letting me know.'],
      ['client', 94, 'See you at our usual time.'],
    ],
  },
];
