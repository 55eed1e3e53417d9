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
        'Hello. My husband and I wonder whether we should come together or each of us alone at first. Is there a usual way?',
      ],
      [
        'specialist',
        143.5,
        'Thank you for asking. Most couples come together the first time, so that both hear the same things. If one of you would rather begin alone, that is welcome, too.',
      ],
      ['client', 143, 'That helps. We will talk about it this weekend.'],
      ['specialist', 121, 'Take your time. Whenever you are ready, you will find my free hours on my page.'],
    ],
  },
  {
    client: 'hannah',
    specialist: 'sarah',
    subject: 'How the nights go',
    lines: [
      [
        'client',
        75,
        'You asked me to write a line a day about the nights. Five hours the first night, six the second. The fixed hour helps more than I thought.',
      ],
      [
        'specialist',
        71,
        'Six hours is good news, Hannah. Keep the hour, also at the weekend, and be kind to yourself on the nights when it doesn’t work.',
      ],
      [
        'client',
        29,
        'Last night I lay awake again, from three on. I got up and read the psalm that we spoke about, as you said, and it was less lonely.',
      ],
      [
        'specialist',
        2.5,
        'Getting up was right. One night is one night, and not the end of what you have begun. Write down what you told yourself at three o’clock, in the words in which you said it.',
      ],
      ['specialist', 2.4, 'We will look at it together next time. Until then: the walk in the evening.'],
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
        'Thank you for praying with us at our last session. My mother asks how she can thank you. She has had a calm day.',
      ],
      [
        'specialist',
        47,
        'Tell her that her smile was thanks enough. I keep both of you in my prayers this week. “The Lord is near to those who have a broken heart.”',
      ],
      ['client', 26, 'I told her, and she smiled again. The results come next week.'],
      [
        'specialist',
        5,
        'Then next week is in my prayers, too. Write to me when you know, whatever it is. You needn’t carry the waiting alone.',
      ],
    ],
  },
  {
    client: 'grace',
    specialist: 'sarah',
    subject: 'The exercise for the mornings',
    lines: [
      [
        'client',
        31,
        'I have tried the breathing in the mornings. Four counts in is easy, six counts out makes me dizzy. Am I doing it wrong?',
      ],
      ['specialist', 28, 'Not wrong at all. Make it three in and four out, and sit down for it.'],
      ['client', 1.2, 'Three and four is much better. I did it on the bus today, and nobody noticed!'],
    ],
  },
  {
    client: 'michael',
    specialist: 'sarah',
    subject: 'Moving our next session',
    lines: [
      [
        'client',
        9,
        'My shift has changed, and I may be some minutes late next week. Shall I move the session, or is that all right with you?',
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
        'My brother begins his treatment next week. Is there a verse that I could write on a card for him?',
      ],
      [
        'specialist',
        50,
        'Isaiah 43:2 has carried many: “When you pass through the waters, I will be with you.” Write it by hand, and put your name under it.',
      ],
      ['client', 6.5, 'I wrote it, and he has it in his wallet. Thank you.'],
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
        'Is there a place where I could pray with others in the evening? I am new in the city and know nobody yet.',
      ],
      ['client', 12.8, 'Wednesdays would be best, but I can come on other days, too.'],
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
        'I wanted to tell you that I slept through two nights in a row. It is the first time since March.',
      ],
      ['specialist', 95, 'Joshua, I am glad with you. Thank you for letting me know.'],
      ['client', 94, 'See you on our usual day.'],
    ],
  },
];
