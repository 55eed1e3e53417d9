import type { Config } from '#/platform/config.ts';
import type { ProcessContext } from '#/platform/context.ts';
import { openLog } from '#/platform/log.ts';
import { makeLinkToken } from '#/features/accounts/commands.ts';
import { createIdentity, type Identity } from '#/features/accounts/endpoints/commands.ts';
import type { TestDatabase } from './database.ts';

export const appUrl = 'https://italk.test';
export const password = 'a-quiet-room-42';

interface Sent {
  address?: string;
  cookie?: string;
  headers?: Record<string, string>;
  method?: string;
}

export function identitiesOf(
  database: TestDatabase,
  {
    openIdProviders = [],
    samlProviders = [],
    walletSignIn = false,
    sms = null,
  }: Partial<Pick<Config, 'openIdProviders' | 'samlProviders' | 'walletSignIn' | 'sms'>> = {},
) {
  const guest = database.as({ kind: 'guest' });
  const events: { event: string; payload: unknown }[] = [];
  const base: ProcessContext = {
    ...guest,
    emit: async (tx, event, payload, options) => {
      events.push({ event, payload });
      await guest.emit(tx, event, payload, options);
    },
  };

  function identityIn(mode: 'demo' | 'production', { url = appUrl } = {}): Identity {
    const config = {
      mode,
      appUrl: url,
      authSecret: 'x'.repeat(40),
      adminEmails: ['chief@italk.test'],
      openIdProviders,
      samlProviders,
      sms,
      programRedirects: [],
      walletSignIn,
      rateLimitFactor: 1,
    };
    return createIdentity({
      base,
      config,
      log: openLog('silent'),
    });
  }
  const production = identityIn('production');
  const demo = identityIn('demo', { url: 'http://localhost:3000' });

  let addresses = 0;
  /** A new IP address per call keeps per-address rate limits out of other tests. */
  const freshAddress = () => `10.0.${Math.floor(++addresses / 250)}.${addresses % 250}`;

  async function send(identity: Identity, path: string, body: unknown, sent: Sent = {}) {
    const method = sent.method ?? 'POST';
    const request = new Request(`${appUrl}/api/auth${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(sent.cookie ? { cookie: sent.cookie } : {}),
        ...sent.headers,
      },
      body: method === 'GET' ? null : JSON.stringify(body),
    });
    const response = await identity.handler(request, {
      address: sent.address ?? freshAddress(),
      requestId: 'test',
    });
    const cookies = response.headers.getSetCookie();
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
      cookies,
      clears: response.headers.get('clear-site-data'),
      cookie: cookies[0]?.split(';')[0] ?? '',
    };
  }

  const signUp = (identity: Identity, email: string, more: object = {}, sent?: Sent) =>
    send(identity, '/sign-up/email', { name: 'Ruth Amsel', email, password, ...more }, sent);
  const signIn = (identity: Identity, email: string, given = password, sent?: Sent) =>
    send(identity, '/sign-in/email', { email, password: given }, sent);
  const actorOf = (identity: Identity, cookie: string) => identity.actorOf(new Headers({ cookie }));
  const userOf = (email: string) =>
    database.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

  async function linkOf(email: string): Promise<string> {
    const { id } = await database.db
      .selectFrom('sign_ups')
      .select('id')
      .where('email', '=', email)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    return makeLinkToken(guest, 'verify', id);
  }

  async function verified(email: string): Promise<{ id: string; cookie: string }> {
    const { cookie: proof } = await signUp(production, email);
    const token = await linkOf(email);
    const { cookie } = await send(production, '/verify-email', { token }, { cookie: proof });
    return { id: (await userOf(email))!.id, cookie };
  }

  const entries = (action: string, subject: string) =>
    database.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('action', '=', action)
      .where('subject_id', '=', subject)
      .orderBy('id')
      .execute();

  return {
    guest,
    base,
    events,
    identityIn,
    production,
    demo,
    freshAddress,
    send,
    signUp,
    signIn,
    actorOf,
    userOf,
    linkOf,
    verified,
    entries,
  };
}
