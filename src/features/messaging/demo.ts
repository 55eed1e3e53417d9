import type { Role } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { actAs, demoContent } from '#/platform/demo.ts';
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

interface Line {
  from: 'client' | 'specialist';
  hoursAgo: number;
  text: string;
}

/** The last message stays unread unless `ended`. */
interface DemoConversation<Client, Specialist> {
  client: Client;
  specialist: Specialist;
  subject: string;
  ended?: boolean;
  lines: readonly Line[];
}

const noLimit = 1_000;

export async function seedMessages(ctx: Ctx, people: DemoLetters): Promise<void> {
  for (const conversation of conversationsOf(people)) await seed(ctx, conversation);
}

async function seed(
  ctx: Ctx,
  { client, specialist, subject, ended, lines }: DemoConversation<DemoPerson, DemoPerson>,
): Promise<void> {
  const as = (person: DemoPerson, hoursAgo: number) =>
    actAs(ctx, person, ctx.now().subtract({ minutes: Math.round(hoursAgo * 60) }));
  const conversationId = ctx.newId();
  for (const [index, { from, hoursAgo, text }] of lines.entries()) {
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
  const conversations = demoContent<DemoConversation<ClientName, SpecialistName>[]>('conversations');
  return conversations.flatMap((conversation) => {
    const person = clients[conversation.client];
    if (!person) return [];
    const specialist = specialists[conversation.specialist];
    return [{ ...conversation, client: { id: person.id, role: 'client' }, specialist }];
  });
}

type ClientName = 'hannah' | 'grace' | 'michael' | 'elena' | 'joshua';
type SpecialistName = 'sarah' | 'daniel' | 'third';
