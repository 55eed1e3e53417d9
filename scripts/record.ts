/**
 * Records the demo API's responses for each role as component test fixtures: `npm run record` rewrites
 * tests/components/recorded/*.json. Rerun after contract changes.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { demoPassword } from '#/features/accounts/demo.ts';
import { procedures, requestOf, type Procedure } from '../tests/support/procedures.ts';
import { startProduct } from './product.ts';

/** Component tests set their clock to this time. */
const recordedAt = new Date().toISOString();

const roles = ['guest', 'client', 'doctor', 'admin'] as const;

type Role = (typeof roles)[number];

type Answers = Record<string, unknown>;

type Input = Readonly<Record<string, unknown>>;

function rows(answers: Answers, procedure: string, list?: string): { id: string }[] {
  const answer = answers[procedure] as Record<string, unknown> | undefined;
  return ((list ? answer?.[list] : answer) ?? []) as { id: string }[];
}

const firstId = (name: string, rowsOf: (answers: Answers) => { id: string }[]) => (answers: Answers) => {
  const [first] = rowsOf(answers);
  return first ? { [name]: first.id } : null;
};

const ahead = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
const appointment = firstId('appointmentId', (answers) => rows(answers, 'appointments.mine'));
const client = firstId('clientId', (answers) => rows(answers, 'care.clients.list', 'clients'));
const conversation = firstId('conversationId', (answers) =>
  rows(answers, 'messaging.conversations.list', 'conversations'),
);
const provider = firstId('providerId', (answers) => rows(answers, 'providers.list'));
const page = { offset: 0, limit: 10 };
const within =
  (more: Input, of: (answers: Answers) => Input | null) =>
  (answers: Answers): Input | null => {
    const found = of(answers);
    return found && { ...found, ...more };
  };

/** Procedures with inputs, in order: an input may use earlier responses of that role. */
const asked: Readonly<Record<string, (answers: Answers) => Input | null>> = {
  'catalogue.service': firstId('id', (answers) => rows(answers, 'catalogue.services')),
  'providers.bySlug': (answers) => {
    const [first] = answers['providers.list'] as { slug: string }[];
    return first ? { slug: first.slug } : null;
  },
  'providers.get': firstId('id', (answers) => rows(answers, 'providers.list')),
  'appointments.mine': () => ({ ...ahead, order: 'ascending', limit: 20 }),
  'appointments.get': appointment,
  'appointments.clientFigures': () => ({ timeZone: 'America/Chicago' }),
  'appointments.agenda': () => ({ span: 'week', date: today() }),
  'appointments.freeStarts': within({ ...soon(), durationMinutes: 60, sessionType: 'online' }, provider),
  'specialistSearch.nextStarts': (answers) => ({
    providerIds: rows(answers, 'providers.list')
      .map(({ id }) => id)
      .join(','),
  }),
  'attendees.list': appointment,
  'reviews.ofService': firstId('serviceId', (answers) => rows(answers, 'catalogue.services')),
  'reviews.ofProvider': within(page, provider),
  'reviews.mine': () => ahead,
  'reviews.moderation': () => ({ ...page, state: 'waiting' }),
  'reviews.replies.moderation': () => ({ ...page, state: 'waiting' }),
  'care.clients.list': () => page,
  'care.clients.get': client,
  'care.clients.sessions': within({ ...page, part: 'past' }, client),
  'care.notes.list': within(page, client),
  'care.privateNotes.list': within(page, client),
  'messaging.conversations.get': conversation,
  'messaging.conversations.draft': conversation,
  'messaging.messages.list': within({ limit: 30 }, conversation),
  'emergency.openings': conversation,
  'resources.get': firstId('resourceId', (answers) => rows(answers, 'resources.list', 'items')),
  'resources.content': firstId('resourceId', (answers) => rows(answers, 'resources.list', 'items')),
  'resources.mine': () => ({ kept: 'favourites', limit: 10 }),
  'growth.devotionals.byDay': () => ({ day: '01-01' }),
  'growth.goals.list': () => ({ ...page, state: 'open' }),
  'growth.sharing.goals': within({ ...page, state: 'open' }, client),
  'growth.sharing.progress': client,
  'video.page': appointment,
  'contact.inbox': () => ({ state: 'open', limit: 10 }),
  'contact.get': firstId('messageId', (answers) => rows(answers, 'contact.inbox', 'messages')),
  'directory.list': () => ({ limit: 10 }),
  'appointments.administration.find': () => ({ order: 'latest', limit: 10 }),
  'audit.list': () => ({ limit: 25 }),
};

const folder = fileURLToPath(new URL('../tests/components/recorded/', import.meta.url));
await mkdir(folder, { recursive: true });
const product = await startProduct({ env: { RATE_LIMIT_FACTOR: '1000' } });
try {
  for (const role of roles) {
    const answers = await answersFor(role);
    await writeFile(
      `${folder}${role}.json`,
      `${JSON.stringify({ recordedAt, answers }, null, 2).replaceAll(product.dataDir, '/var/lib/italk')}\n`,
    );
    console.log(`${role}: ${Object.keys(answers).length} procedures`);
  }
} finally {
  await product.stop();
}

async function answersFor(role: Role): Promise<Answers> {
  const cookie = role === 'guest' ? '' : await signIn(role);
  const answers: Answers = {};
  const plain = procedures.filter((one) => one.method === 'GET' && isOptional(one) && !asked[one.name]);
  for (const procedure of plain) await record(procedure, {}, cookie, answers);
  for (const [name, inputOf] of Object.entries(asked)) {
    const input = inputOf(answers);
    const procedure = procedures.find((one) => one.name === name);
    if (!procedure) throw new Error(`There is no procedure ${name}`);
    if (input) await record(procedure, input, cookie, answers);
  }
  return answers;
}

async function record(procedure: Procedure, input: Input, cookie: string, answers: Answers): Promise<void> {
  const [method, path, { body }] = requestOf(procedure, input);
  const response = await fetch(`${product.url}${path}`, {
    method,
    headers: { cookie, origin: product.url, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.ok) answers[procedure.name] = await response.json();
  else if (response.status === 400)
    console.log(`${procedure.name} refuses its input: ${await response.text()}`);
}

function today(): string {
  return Temporal.Now.plainDateISO('America/Chicago').toString();
}

function soon() {
  const now = Temporal.Now.instant();
  return { from: now.toString(), to: now.add({ hours: 24 * 14 }).toString() };
}

function isOptional({ input }: Procedure): boolean {
  return !input || input.safeParse({}).success;
}

async function signIn(role: Role): Promise<string> {
  const response = await fetch(`${product.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: product.url },
    body: JSON.stringify({ email: `${role}@italk.example`, password: demoPassword }),
  });
  if (!response.ok) throw new Error(`Signing in as ${role} was answered ${response.status}`);
  return response.headers.getSetCookie()[0]!.split(';')[0]!;
}
