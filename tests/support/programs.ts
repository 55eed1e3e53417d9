import { AuthClient, GoTrueAdminApi } from '@supabase/auth-js';
import { RealtimeClient, type RealtimeClientOptions } from '@supabase/realtime-js';
import { StorageClient } from '@supabase/storage-js';
import { Secret, TOTP } from 'otpauth';
import { setPassword } from '#/features/accounts/commands.ts';
import { systemNow } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import type { Answered, TestProvider } from './openid.ts';
import { addClient, type Person } from './people.ts';
import { hashOf } from './passwords.ts';
import type { Answer, Sent, TestServer } from './server.ts';

export const programPassword = 'a-quiet-room-42';

/** What other programs do at a started server. */
export function programsOf(server: TestServer) {
  const { database } = server;
  const { db } = database;

  async function somebody(person?: Person): Promise<{ id: string; email: string }> {
    const { id } = person ?? (await addClient(db));
    const hash = await hashOf(programPassword);
    await transact(database.as({ kind: 'system' }), (tx) => setPassword(tx, id, hash));
    return db
      .updateTable('users')
      .set({ email_verified: true })
      .where('id', '=', id)
      .returning(['id', 'email'])
      .executeTakeFirstOrThrow();
  }

  /** The published client, unmodified. */
  const client = (options: { fetch?: typeof fetch; flowType?: 'pkce' } = {}) =>
    new AuthClient({
      ...options,
      url: `http://127.0.0.1:${server.port}/auth/v1`,
      autoRefreshToken: false,
      persistSession: true,
      storage: keptInMemory(),
      detectSessionInUrl: false,
    });

  /** The published client for administrators, unmodified, for a key. */
  const administrationBy = (key: string) =>
    new GoTrueAdminApi({
      url: `http://127.0.0.1:${server.port}/auth/v1`,
      headers: { apikey: key, Authorization: `Bearer ${key}` },
    });

  /** The published client, unmodified, for a token. */
  const storage = (token: string) =>
    new StorageClient(`http://127.0.0.1:${server.port}/storage/v1`, { authorization: `Bearer ${token}` });

  /** The published client, unmodified. */
  const realtime = (options: RealtimeClientOptions = {}, port = server.port) =>
    new RealtimeClient(`ws://127.0.0.1:${port}/realtime/v1`, { params: { apikey: 'none' }, ...options });

  /** Sends like a program: without Origin and cookie. */
  const send = (method: string, path: string, sent: Sent & { token?: string } = {}): Promise<Answer> => {
    const { token, ...rest } = sent;
    const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...rest.headers };
    return server.guest.send(method, /^\/(?:api|storage|realtime)\//.test(path) ? path : `/auth/v1${path}`, {
      origin: null,
      ...rest,
      headers,
    });
  };

  const signIn = async (email: string, password = programPassword): Promise<Tokens> => {
    const { status, json, text } = await send('POST', '/token?grant_type=password', {
      body: { email, password },
    });
    if (status !== 200) throw new Error(`sign-in answered ${status} ${text}`);
    return json as Tokens;
  };

  const refresh = (token: string): Promise<Answer> =>
    send('POST', '/token?grant_type=refresh_token', { body: { refresh_token: token } });

  /** Newest code emailed to the address. */
  async function codeFor(email: string): Promise<string> {
    await database.runJobs();
    const mails = await database.readMails((rows) => rows.where('recipient', '=', email));
    const code = mails.flatMap(({ text_body: text }) => /: (\d{6})$/m.exec(text)?.[1] ?? []);
    return code.at(-1)!;
  }

  /** Token of the newest link back to a program that was emailed to the address. */
  async function linkFor(email: string): Promise<string> {
    // Links are made by jobs, whose clock tests set.
    database.setNow(systemNow().toString());
    await database.runJobs();
    const mails = await database.readMails((rows) => rows.where('recipient', '=', email));
    return mails.flatMap(({ text_body: text }) => /\/return-to-app#([\w-]+)/.exec(text)?.[1] ?? []).at(-1)!;
  }

  /** Follows a link in a browser. Returns the answer, and the code on the way back to the program. */
  async function follow(token: string): Promise<Answer & { address: string; code: string }> {
    const answer = await server.guest.send('POST', '/api/auth/return-to-program', { body: { token } });
    const { continueAt: address = '' } = answer.json as { continueAt?: string };
    return { ...answer, address, code: URL.parse(address)?.searchParams.get('code') ?? '' };
  }

  /** Goes to a provider and back in a browser. Returns the answer, and the code on the way back to the program. */
  async function goThrough(
    provider: TestProvider,
    url: string,
    answered: Answered,
    { cookies = true } = {},
  ): Promise<Answer & { address: string; code: string; answer: string }> {
    const { pathname, search } = new URL(url);
    const asked = await server.guest.send('GET', `${pathname}${search}`, { origin: null });
    if (asked.status !== 303) throw new Error(`the way to a provider answered ${asked.status} ${asked.text}`);
    const answer = provider.visit(asked.headers.location as string, answered);
    const [cookie] = asked.headers['set-cookie'] as string[];
    const back = await server.guest.send('POST', '/api/auth/sign-in/provider', {
      body: { provider: provider.config.id, answer },
      headers: cookies ? { cookie: cookie!.split(';')[0]! } : {},
    });
    const { continueAt: address = '' } = back.json as { continueAt?: string };
    return { ...back, address, answer, code: URL.parse(address)?.searchParams.get('code') ?? '' };
  }

  return {
    somebody,
    client,
    administrationBy,
    storage,
    realtime,
    send,
    signIn,
    refresh,
    codeFor,
    linkFor,
    follow,
    goThrough,
  };
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  user: { id: string; factors: { id: string; status: string }[] };
}

/** App code of this moment, or of later steps: each works once, and the next step’s is already accepted. */
export function appCode(secret: string, steps = 0): string {
  const timestamp = systemNow().epochMilliseconds + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

function keptInMemory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}
