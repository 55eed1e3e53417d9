import { Agent, request as httpRequest } from 'node:http';
import { sql, type RawBuilder } from 'kysely';
import { afterAll, expect } from 'vitest';
import type { Problem } from '#/kernel/problem.ts';
import type { Pages } from '#/app/rendering.ts';
import { createApp } from '#/app/server.ts';
import { setPassword } from '#/features/accounts/commands.ts';
import { demoPassword } from '#/features/accounts/demo.ts';
import { createIdentity } from '#/features/accounts/endpoints/commands.ts';
import { newId, systemNow } from '#/platform/clock.ts';
import { readConfig, type Config } from '#/platform/config.ts';
import { transact } from '#/platform/db/transact.ts';
import { processContext } from '#/app/process-context.ts';
import { openLog } from '#/platform/log.ts';
import { openHub } from '#/platform/realtime/hub.ts';
import { openSms } from '#/platform/sms/sms.ts';
import { authSecret, testDatabase, type TestDatabase } from './database.ts';
import { addClient, addProvider, sixtyMinutes, type Person } from './people.ts';
import { hashOf } from './passwords.ts';

/** Request options. Text and byte bodies are sent unchanged, others as JSON. */
export interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
  /** Origin header; defaults to ours, and null omits it. */
  origin?: string | null;
}

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  json: unknown;
}

export interface Visitor {
  cookie: string;
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
}

export interface TestServer {
  database: TestDatabase;
  config: Config;
  port: number;
  close(): Promise<void>;
  log: string[];
  guest: Visitor;
  signIn(person: Person): Promise<Visitor>;
}

const pages: Pages = {
  asset: () => Promise.resolve(null),
  answer: () => false,
  forget: () => undefined,
  kept: (_, make) => make(),
  worker: () => Promise.resolve(null),
  render: (_, { closed }) =>
    Promise.resolve(
      new Response(closed ?? 'a page', {
        status: closed ? 503 : 200,
        headers: { 'content-type': 'text/html' },
      }),
    ),
};

/** Public URL; requests use the loopback port behind it. */
const appUrl = 'http://italk.test:3000';
/** Effectively unlimited, except in tests of the rate limits. */
const noLimits = 1_000_000;

/** Starts the server in demo mode for the calling test file and stops it afterwards. */
export async function testServer({
  rateLimitFactor = noLimits,
  through,
  config: changes,
  settableClock = false,
  render = pages.render,
}: {
  rateLimitFactor?: number;
  render?: Pages['render'];
  /** Takes the time that `database.setNow` sets. */
  settableClock?: boolean;
  /** Reroutes the server's database connection, for tests of outages. */
  through?: (url: string) => Promise<{ url: string; db: TestDatabase['db'] }>;
  config?: Partial<Config>;
} = {}): Promise<TestServer> {
  const database = await testDatabase({ sms: changes?.sms ? openSms(changes.sms) : null });
  const { db, dataDir } = database;
  const way = (await through?.(database.url)) ?? database;
  const adminEmails: string[] = [];
  const config: Config = {
    ...readConfig({
      ITALK_MODE: 'demo',
      PORT: '0',
      DATABASE_URL: way.url,
      DATA_DIR: dataDir,
      APP_URL: appUrl,
      AUTH_SECRET: authSecret,
    }),
    rateLimitFactor,
    adminEmails,
    ...changes,
  };
  const lines: string[] = [];
  const log = openLog('debug', { write: (line: string) => void lines.push(line) });
  const system = database.as({ kind: 'system' });
  // Manually run jobs must decrypt the server's data, so share its keys.
  const { keyring, privateNotes } = system;
  const base = {
    ...processContext(config, { db: way.db, emit: system.emit, now: settableClock ? system.now : systemNow }),
    keyring,
    privateNotes,
  };
  const identity = createIdentity({ base, config, log });
  const hub = await openHub(way.url, log);
  const server = createApp({
    config,
    base,
    hub,
    identity,
    pages: { ...pages, render },
    log,
    schedules: () => [],
  });
  const port = await server.listen();
  let closed: Promise<void> | null = null;
  const close = () => (closed ??= server.close());
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  afterAll(async () => {
    agent.destroy();
    await close();
  });

  const visitor = (first: string): Visitor => {
    let cookie = first;
    return {
      get cookie() {
        return cookie;
      },
      async send(method, path, sent = {}) {
        const answer = await exchange(agent, port, method, path, cookie, sent);
        // As browsers do, when confirming who one is replaces the session's token.
        const [renewed] = answer.headers['set-cookie'] ?? [];
        if (cookie && path === '/api/me/reauthentication' && renewed) cookie = renewed.split(';')[0]!;
        return answer;
      },
    };
  };
  return {
    database,
    config,
    port,
    close,
    log: lines,
    guest: visitor(''),
    async signIn({ id }) {
      const hash = await hashOf(demoPassword);
      await transact(database.as({ kind: 'system' }), (tx) => setPassword(tx, id, hash));
      const { email } = await db
        .updateTable('users')
        .set({ email_verified: true })
        .where('id', '=', id)
        .returning('email')
        .executeTakeFirstOrThrow();
      const profile = db.selectFrom('profiles').where('id', '=', id).select('role');
      if ((await profile.executeTakeFirstOrThrow()).role === 'super_admin') adminEmails.push(email);
      const body = { email, password: demoPassword };
      const { status, headers } = await visitor('').send('POST', '/api/auth/sign-in/email', { body });
      expect(status).toBe(200);
      // Administrators count as recently reauthenticated unless a test says otherwise.
      await db
        .updateTable('sessions')
        .set({ reauthenticated_at: new Date('2100-01-01') })
        .where('user_id', 'in', db.selectFrom('profiles').select('id').where('role', '=', 'super_admin'))
        .where('user_id', '=', id)
        .execute();
      return visitor(headers['set-cookie']![0]!.split(';')[0]!);
    },
  };
}

/** Sends one HTTP request with exactly this path and these headers. */
function exchange(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  cookie: string,
  { body, headers = {}, origin = appUrl }: Sent,
): Promise<Answer> {
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const bytes: string | Uint8Array | undefined = raw ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: {
          ...(cookie ? { cookie } : {}),
          ...(origin === null ? {} : { origin }),
          ...(bytes === undefined ? {} : { 'content-type': 'application/json' }),
          ...(bytes === undefined || headers['transfer-encoding']
            ? {}
            : { 'content-length': String(Buffer.byteLength(bytes)) }),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, text, json: jsonOf(text) }),
        );
      },
    );
    request.on('error', reject);
    request.end(bytes);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Signed-in people (two clients, two providers, an administrator) and one session of the first pair. */
export interface Cast {
  client: Visitor;
  otherClient: Visitor;
  provider: Visitor;
  otherProvider: Visitor;
  admin: Visitor;
  clientId: string;
  providerId: string;
  serviceId: string;
  appointmentId: string;
  /** A free time of the first provider, past every lead time and deadline, different from the appointment's. */
  freeStart: string;
}

export async function castOf(server: TestServer): Promise<Cast> {
  const { db } = server.database;
  const people = [await addClient(db), await addClient(db), await addProvider(db), await addProvider(db)];
  const chief = await addClient(db);
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', chief.id).execute();
  const visitors: Visitor[] = [];
  for (const person of [...people, chief]) visitors.push(await server.signIn(person));
  const [client, otherClient, provider, otherProvider, admin] = visitors as [
    Visitor,
    Visitor,
    Visitor,
    Visitor,
    Visitor,
  ];
  const providerId = people[2]!.id;
  const serviceId = await sixtyMinutes(db);
  const [first, second] = await freeStarts(client, providerId);
  const booked = await client.send('POST', '/api/bookings', {
    body: booking({ providerId, serviceId, startsAt: first! }),
  });
  expect(booked.status).toBe(201);
  const { appointments } = booked.json as { appointments: { id: string }[] };
  return {
    client,
    otherClient,
    provider,
    otherProvider,
    admin,
    clientId: people[0]!.id,
    providerId,
    serviceId,
    appointmentId: appointments[0]!.id,
    freeStart: second!,
  };
}

async function freeStarts(visitor: Visitor, providerId: string): Promise<string[]> {
  const [from, to] = [7, 28].map((days) =>
    systemNow()
      .add({ hours: 24 * days })
      .round('second')
      .toString(),
  );
  const { json } = await visitor.send(
    'GET',
    `/api/specialists/${providerId}/free-starts?from=${from}&to=${to}&durationMinutes=60`,
  );
  const { starts } = json as { starts: string[] };
  return starts.filter((start, index) => start.slice(0, 10) !== starts[index - 1]?.slice(0, 10));
}

export function booking(of: { providerId: string; serviceId: string; startsAt: string }) {
  return {
    ...of,
    idempotencyKey: newId(),
    durationMinutes: 60,
    sessionType: 'online',
    recurrence: 'one_time',
    sessions: 4,
    contact: { name: 'Naomi Weiss', email: 'naomi@weiss.example', phone: '+1 555 010 0199' },
    reminderMinutes: 60,
    timeZone: 'America/Chicago',
  };
}

const statuses = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition: 412,
  rate_limited: 429,
  unavailable: 503,
} as const;

/** Validation and SQL internals that no answer may expose. */
const innards = /\bzod\b|\\p\{|\^\[|\bSELECT\b|\bINSERT INTO\b|SQLSTATE|relation |node_modules|\.ts:\d/i;

/** Parses a refusal; expects a known error code and no further details. */
export function problemIn(answer: Answer): Problem {
  const problem = answer.json as Problem;
  const { code } = problem ?? {};
  expect(statuses, `${answer.status} ${answer.text.slice(0, 300)}`).toHaveProperty(code);
  expect(answer.status).toBe(statuses[code as keyof typeof statuses]);
  expect(problem.status).toBe(answer.status);
  expect(answer.headers['content-type']).toBe('application/problem+json');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-request-id']).toBe(problem.requestId);
  expect(answer.text).not.toMatch(innards);
  return problem;
}

/** Tables that rejected requests may also write to, and messages of earlier ones on their way. */
const noted = ['audit_entries', 'audit_personal', 'audit_unsealed', 'outbox', 'rate_limits'];

const notedIn: Readonly<Record<string, RawBuilder<unknown>>> = {
  sessions: sql`''`,
  profiles: sql`(to_jsonb(t) - 'last_active_at')::text`,
};

/** Digests every table: equal digests mean nothing was stored in between. */
export async function storedIn({ db }: TestDatabase): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db);
  const digests = tables
    .filter(({ name }) => !noted.includes(name))
    .map(({ name }) => {
      const row = notedIn[name] ?? sql`t::text`;
      return sql`select ${sql.lit(name)} as name,
          count(*) || ' ' || coalesce(sum(hashtextextended(${row}, 0)), 0) as digest
        from ${sql.table(name)} as t`;
    });
  const { rows } = await sql<{ name: string; digest: string }>`
    ${sql.join(digests, sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
