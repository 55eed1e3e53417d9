import { sql } from 'kysely';
import { demoPassword } from '#/features/accounts/demo.ts';
import { newId, systemNow } from '#/platform/clock.ts';
import { addClient, addProvider, type Person } from './people.ts';
import type { TestProvider } from './openid.ts';
import { acceptedInputs, procedures, requestOf } from './procedures.ts';
import { castOf, type Answer, type TestServer, type Visitor } from './server.ts';
import { addSession } from './sessions.ts';
import type { TestSms } from './sms.ts';

type Input = Readonly<Record<string, unknown>>;

export interface Made {
  [field: string]: unknown;
  id: string;
}

export interface Player extends Visitor {
  person: Person;
  id: string;
  email: string;
}

export type Stage = Awaited<ReturnType<typeof stageOf>>;

/**
 * Signed-in people and helpers that create test data, through the API if possible. `openId` is one of its providers,
 * `texts` what texts its codes.
 */
export async function stageOf(server: TestServer, openId?: TestProvider, texts?: TestSms) {
  const { db } = server.database;
  server.database.setNow(systemNow().toString());
  const cast = await castOf(server);
  const accepted = acceptedInputs(cast);
  const byName = new Map(procedures.map((one) => [one.name, one]));

  /** Merges changes into a procedure's accepted input. */
  const sent = (name: string, change: Input = {}) => ({ ...accepted[name], ...change });

  async function ask(by: Visitor, name: string, change?: Input): Promise<Answer> {
    return by.send(...requestOf(byName.get(name)!, sent(name, change)));
  }

  async function call<T = Made>(by: Visitor, name: string, change: Input = {}): Promise<T> {
    const answer = await ask(by, name, change);
    if (answer.status >= 300) throw new Error(`${name} answered ${answer.status} ${answer.text}`);
    return answer.json as T;
  }

  async function upload(by: Visitor, path: string, body: Uint8Array): Promise<Made> {
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await by.send('POST', `/api${path}`, { body, headers });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
    return answer.json as Made;
  }

  async function player(person: Person): Promise<Player> {
    const visitor = await server.signIn(person);
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    return { ...visitor, person, id: person.id, email };
  }

  const newClient = async () => player(await addClient(db));
  const newProvider = async (terms?: Parameters<typeof addProvider>[1]) =>
    player(await addProvider(db, terms));

  async function newAdmin(): Promise<Player> {
    const chief = await addClient(db);
    await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', chief.id).execute();
    return player(chief);
  }

  const [admin, client, provider] = [await newAdmin(), await newClient(), await newProvider()];

  async function signInAgain({ email }: Player): Promise<void> {
    const body = { email, password: demoPassword };
    await server.guest.send('POST', '/api/auth/sign-in/email', { body });
  }

  const inHours = (hours: number) =>
    systemNow()
      .add({ minutes: Math.round(hours * 60) })
      .round('second')
      .toString();

  async function freeStarts(by: Visitor, { id: providerId }: { id: string }): Promise<string[]> {
    const { starts } = await call<{ starts: string[] }>(by, 'appointments.freeStarts', {
      providerId,
      from: inHours(24 * 5),
      to: inHours(24 * 25),
      sessionType: 'online',
      moving: undefined,
    });
    return starts.filter((start, at) => start.slice(0, 10) !== starts[at - 1]?.slice(0, 10));
  }

  async function booked(terms?: Parameters<typeof addProvider>[1], serviceId = cast.serviceId) {
    const [who, whom] = [await newClient(), await newProvider(terms)];
    const [first, second, third] = await freeStarts(who, whom);
    const { appointments } = await call<{ appointments: Made[] }>(who, 'appointments.book', {
      idempotencyKey: newId(),
      providerId: whom.id,
      serviceId,
      startsAt: first,
    });
    const appointmentId = appointments[0]!.id;
    return { client: who, provider: whom, appointmentId, other: second!, third: third! };
  }

  const session = (hours: number, status: 'completed' | 'confirmed', whom = provider) =>
    addSession(db, { client, provider: whom, start: inHours(hours), status });

  async function newest(table: 'bookings' | 'reviews' | 'contact_messages' | 'provider_credentials') {
    const at = {
      bookings: 'id',
      reviews: 'written_at',
      contact_messages: 'id',
      provider_credentials: 'id',
    } as const;
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)} order by ${sql.ref(at[table])} desc limit 1`.execute(db);
    return rows[0]!.id;
  }

  return {
    openId,
    texts,
    server,
    db,
    cast,
    admin,
    client,
    provider,
    ask,
    sent,
    call,
    upload,
    newClient,
    newProvider,
    newAdmin,
    signInAgain,
    inHours,
    freeStarts,
    booked,
    session,
    newest,
  };
}
