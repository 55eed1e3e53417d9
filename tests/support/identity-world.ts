import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { askForDueDeletions } from '#/features/accounts/deletion/commands.ts';
import { demoPassword } from '#/features/accounts/demo.ts';
import type { Problem } from '#/kernel/problem.ts';
import { walletProvider } from '#/features/accounts/openid/rules.ts';
import { digest } from '#/platform/tokens.ts';
import { newAuthenticator, type Authenticator } from './authenticator.ts';
import {
  isBrowser,
  type Address,
  type Browser,
  type Code,
  type CodeTarget,
  type Link,
  type Model,
  type Outcome,
  type Person,
  type Derives,
  type FactorAct,
  type Place,
  type Program,
  type Provider,
  type SecondStep,
  type Unlocking,
} from './identity-model.ts';
import type { TestProvider } from './openid.ts';
import type { TestSaml } from './saml.ts';
import type { TestSms } from './sms.ts';
import { addClient } from './people.ts';
import type { Answer, TestServer } from './server.ts';

/** One account's people, browsers and programs at a real server. */
export type World = ReturnType<Awaited<ReturnType<typeof worldsAt>>>;

/** A request's outcome, in the model's terms. */
export interface Result {
  answer: string;
  requestIds: string[];
  /** A link, API token or recovery key that only the answer shows. */
  shown?: string;
}

interface Body {
  id?: string;
  token?: string;
  access_token?: string;
  refresh_token?: string;
  signedIn?: boolean;
  secondStep?: { setUp?: { secret: string } | null };
  resetToken?: string;
  continueAt?: string;
  secret?: string;
  totp?: { secret: string };
  backupCodes?: string[];
  recoveryKey?: string;
  entries?: { text: string }[];
  user?: { aud: string; factors: { status: string }[] };
  error_code?: string;
  passkey?: Challenge;
  message?: string;
}

interface Challenge {
  challenge: string;
  user: { id: string };
}

/** What a wallet signs. */
interface Signed {
  message: string;
}

/** A person's second step. */
interface Given {
  code?: string | undefined;
  /** Its id in the model. */
  passkey?: number | undefined;
  trust?: true;
}

/** Several reasons of ours are one code to programs. */
const programCodes: Readonly<Record<string, string>> = {
  wrong_credentials: 'invalid_credentials',
  wrong_password: 'invalid_credentials',
  email_unverified: 'email_not_confirmed',
  account_suspended: 'user_banned',
  address_held: 'user_banned',
  code_expired: 'otp_expired',
  code_spent: 'otp_expired',
  wrong_email_code: 'otp_expired',
  wrong_code: 'mfa_verification_failed',
  refresh_token_unknown: 'refresh_token_not_found',
  refresh_token_used: 'refresh_token_already_used',
  return_expired: 'flow_state_not_found',
  wrong_verifier: 'bad_code_verifier',
  second_factor_in_browser: 'mfa_webauthn_verify_not_enabled',
  second_factor_active: 'mfa_verified_factor_exists',
  factor: 'mfa_factor_not_found',
  reauthentication_required: 'reauthentication_needed',
};

export function toPrograms(answer: string): string {
  return programCodes[answer] ?? answer;
}

const sessionCookie = 'italk.session_token';

const mailed =
  /\/(verify|reset-password|sign-in-link|address-change|email-change|return-to-app)(?:\?[^#\s]*)?#([\w-]+)/;
const linkKinds: Readonly<Record<string, string>> = { 'sign-in-link': 'sign-in', 'return-to-app': 'return' };
const mailedCode = /\/sign-in-code\?\S*#(\d{6})|: (\d{6})$/m;

/** What the journal holds. */
const words = 'Riverwords';

interface Counterparts {
  church: TestProvider;
  clinic: TestSaml;
  sms: TestSms;
}

export async function worldsAt(server: TestServer, { church, clinic, sms }: Counterparts) {
  const { database, guest } = server;
  const { db } = database;
  const chiefPerson = await addClient(db);
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', chiefPerson.id).execute();
  const chief = await server.signIn(chiefPerson);
  let worlds = 0;
  const newDevice = (how?: { prf: boolean }) => newAuthenticator(server.config.appUrl, how);
  const foreignDevice = newDevice();
  const foreignWallet = newWallet();
  await addAnother(server, foreignDevice, foreignWallet);

  return () => {
    worlds += 1;
    const addresses = { home: `owner${worlds}@home.test`, other: `owner${worlds}@other.test` };
    const numbers = { owner: `+1212${5_550_000 + worlds}`, attacker: `+1646${5_550_000 + worlds}` };
    const jars: Record<Browser, Map<string, string>> = {
      laptop: new Map(),
      phone: new Map(),
      stranger: new Map(),
    };
    const tokens: Partial<Record<Program, { access: string; refresh: string }>> = {};
    /** Tokens of sign-ins that wait for the second step. */
    const waiting: Partial<Record<Program, string>> = {};
    /** Bring the provider's last answer to each browser. */
    const bring: Record<Provider, Partial<Record<Browser, () => Promise<string>>>> = {
      church: {},
      clinic: {},
    };
    /** Of links, codes, API tokens and recovery keys, by their ids in the model. */
    const secrets = new Map<number, string>();
    const wallets = { owner: newWallet(), attacker: newWallet(), foreign: foreignWallet };
    const signedAt: Partial<Record<Browser, Signed & { signature: string }>> = {};
    /** By their ids in the model: the authenticator, and the passkey's id at the server. */
    const passkeys = new Map([[foreignPasskey, { device: foreignDevice, row: nobody }]]);
    let lastAssertion: object | null = null;
    /** How many texts were delivered. */
    let texted = sms.sent.length;
    let appSecret = '';
    let backupCodes: string[] = [];
    let formerCodes: string[] = [];
    let userId: string | null = null;
    let requestIds: string[] = [];

    async function exchange(method: string, path: string, body: unknown, headers: Record<string, string>) {
      const answer = await guest.send(method, path, {
        ...(body === undefined ? {} : { body }),
        headers,
        ...(headers.authorization || path.startsWith('/auth/') ? { origin: null } : {}),
      });
      expect(answer.status, `${method} ${path} ${answer.text}`).toBeLessThan(500);
      requestIds.push(String(answer.headers['x-request-id']));
      return answer;
    }

    async function send(
      place: Place,
      method: string,
      path: string,
      body?: unknown,
      more = {},
    ): Promise<Answer> {
      if (!isBrowser(place)) {
        const access = tokens[place]?.access;
        return exchange(method, path, body, {
          ...(access ? { authorization: `Bearer ${access}` } : {}),
          ...more,
        });
      }
      const jar = jars[place];
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await exchange(method, path, body, { cookie, ...more });
      for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        if (value === '' || /Max-Age=0\b/.test(line)) jar.delete(name!);
        else jar.set(name!, value!);
      }
      return answer;
    }

    const ask = (place: Place, path: string, body: object) => send(place, 'POST', path, body);

    function result(answer: string, shown?: string): Result {
      const ids = requestIds;
      requestIds = [];
      return { answer, requestIds: ids, ...(shown === undefined ? {} : { shown }) };
    }

    /** Reads an answer without a sign-in. */
    function plain({ status, json }: Answer): Result {
      const body = (json ?? {}) as Body;
      if (status < 300) return result('done', body.resetToken ?? body.token ?? body.recoveryKey);
      return result(reasonOf(json));
    }

    /** Reads a sign-in's answer in a browser. */
    function entered(answer: Answer): Result {
      const { status, json } = answer;
      const body = json as Body;
      if (status >= 300) return result(reasonOf(json));
      const code = URL.parse(body.continueAt ?? '')?.searchParams.get('code');
      if (code) return result('returns', code);
      appSecret = body.secondStep?.setUp?.secret ?? appSecret;
      if (body.backupCodes) keepBackupCodes(answer);
      if (body.secondStep) return result('second_step');
      if (body.resetToken !== undefined) return result('chooses_password', body.resetToken);
      return result(body.signedIn ? 'done' : 'not_signed_in');
    }

    /** Passes a program's second step if it's asked for, and keeps its tokens. */
    async function programEntered(
      program: Program,
      { status, json }: Answer,
      code: string | undefined,
    ): Promise<Result> {
      const body = json as Body;
      if (status >= 300) return result(reasonOf(json));
      if (body.user?.aud !== 'second-factor') {
        keepTokens(program, body);
        return result('done');
      }
      waiting[program] = body.access_token!;
      const isSetUp = body.user.factors.some((factor) => factor.status === 'verified');
      return code === undefined || !isSetUp ? result('second_step') : finishSignIn(program, code);
    }

    async function finishSignIn(program: Program, code: string): Promise<Result> {
      const headers = { authorization: `Bearer ${waiting[program]}` };
      const factor = await factorId();
      const body = { code, challenge_id: factor };
      const answer = await exchange('POST', `/auth/v1/factors/${factor}/verify`, body, headers);
      if (answer.status < 300) keepTokens(program, answer.json as Body);
      return plain(answer);
    }

    async function factorId(): Promise<string> {
      const row = await db
        .selectFrom('second_factors')
        .select('id')
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return row?.id ?? nobody;
    }

    function keepTokens(program: Program, { access_token, refresh_token }: Body): void {
      tokens[program] = { access: access_token!, refresh: refresh_token! };
    }

    function deviceOf(passkey: number) {
      const known = passkeys.get(passkey);
      if (known) return known.device;
      const device = newDevice();
      device.create({ challenge: 'another', user: { id: 'AA' } });
      return device;
    }

    async function assertionAt(place: Browser, passkey: number) {
      const { json } = await ask(place, '/api/auth/request-passkey', {});
      return deviceOf(passkey).get((json as Body).passkey!);
    }

    async function giveOwnPasskey(place: Place, path: string, passkey: number): Promise<Answer> {
      const question = await ask(place, '/api/me/passkeys/ask', {});
      if (question.status >= 300) return question;
      return ask(place, path, { passkey: deviceOf(passkey).get(question.json as Challenge) });
    }

    async function secondAt(place: Browser, { code, passkey, trust }: Given): Promise<object> {
      if (passkey !== undefined) return { passkey: await assertionAt(place, passkey), trust };
      return { code, trust };
    }

    async function administer(
      act: string,
      body: object = {},
      path = `/api/admin/users/${userId}`,
    ): Promise<Answer> {
      // The administrator is always there, and has just confirmed it.
      const now = new Date(database.as({ kind: 'system' }).now().epochMilliseconds);
      await db
        .updateTable('sessions')
        .set({ created_at: now, updated_at: now })
        .where('user_id', '=', chiefPerson.id)
        .execute();
      const answer = await chief.send('POST', `${path}/${act}`, { body });
      requestIds.push(String(answer.headers['x-request-id']));
      return answer;
    }

    return {
      secrets,
      /** What the journal last showed at each place, and to which session. */
      journalSeen: new Map<Place, string>(),
      /** What happened, for a failure’s message. */
      story: [] as string[],

      // What anyone can send

      signUp: async (place: Browser, password: string) =>
        plain(
          await ask(place, '/api/auth/sign-up/email', {
            email: addresses.home,
            name: 'Ruth Amsel',
            password,
          }),
        ),
      askForReset: async (place: Browser, address: Address) =>
        plain(await ask(place, '/api/auth/request-password-reset', { email: addresses[address] })),
      askForSignInLink: async (place: Browser) =>
        plain(await ask(place, '/api/auth/request-sign-in-link', { email: addresses.home })),
      askForCode: async (place: Place) =>
        isBrowser(place)
          ? plain(await ask(place, '/api/auth/request-sign-in-code', { email: addresses.home }))
          : plain(await exchange('POST', '/auth/v1/otp', { email: addresses.home }, {})),
      follow: async (place: Browser, { id, kind }: Link, newPassword: string) => {
        const token = secrets.get(id)!;
        const [path, body] = {
          verify: ['/verify-email', { token }],
          'reset-password': ['/reset-password', { token, newPassword }],
          'sign-in': ['/sign-in/link', { token }],
          'address-change': ['', {}],
          'email-change': ['', {}],
          return: ['/return-to-program', { token }],
        }[kind] as [string, object];
        return entered(await ask(place, `/api/auth${path}`, body));
      },
      settleAddressChange: async (act: 'undo' | 'confirm', { id }: Link) =>
        plain(await exchange('POST', `/api/address-change/${act}`, { token: secrets.get(id)! }, {})),
      confirmEmailChange: async ({ id }: Link) =>
        plain(await exchange('POST', '/api/email-change/confirm', { token: secrets.get(id)! }, {})),
      signInByPassword: async (place: Place, address: Address, password: string, given: Given) => {
        const body = { email: addresses[address], password };
        if (isBrowser(place)) {
          const second = await secondAt(place, given);
          return entered(await ask(place, '/api/auth/sign-in/email', { ...body, ...second }));
        }
        return programEntered(
          place,
          await exchange('POST', '/auth/v1/token?grant_type=password', body, {}),
          given.code,
        );
      },
      askForText: async (place: Place, number: Person) =>
        isBrowser(place)
          ? plain(await ask(place, '/api/auth/request-texted-code', { phone: numbers[number] }))
          : plain(await exchange('POST', '/auth/v1/otp', { phone: numbers[number] }, {})),
      enterCode: async (
        place: Place,
        { to, typed }: { to: CodeTarget; typed: number | null },
        given: Given,
      ) => {
        const emailCode = codeTyped(typed);
        if (isBrowser(place)) {
          const second = await secondAt(place, given);
          return entered(await ask(place, '/api/auth/sign-in/code', { emailCode, ...second }));
        }
        const body =
          to === 'home'
            ? { email: addresses.home, token: emailCode, type: 'email' }
            : { phone: numbers[to], token: emailCode, type: 'sms' };
        return programEntered(place, await exchange('POST', '/auth/v1/verify', body, {}), given.code);
      },
      signInByPasskey: async (place: Browser, passkey: number) => {
        lastAssertion = await assertionAt(place, passkey);
        return entered(await ask(place, '/api/auth/sign-in/passkey', { passkey: lastAssertion }));
      },
      /** Null if there is none yet. */
      sendPasskeyAgain: (place: Browser) =>
        lastAssertion && ask(place, '/api/auth/sign-in/passkey', { passkey: lastAssertion }).then(entered),
      signInByProvider: async (place: Browser, who: Vouched, given: Given) => {
        const { provider } = who;
        const { json } = await ask(place, '/api/auth/request-provider', { provider });
        bring[provider][place] = visit((json as Body).continueAt!, who);
        return comeBack(place, provider, given);
      },
      comeBackAgain: comeBack,
      bringForeignAnswer: async (place: Browser, provider: Provider, from: Browser) => {
        const answer = await bring[provider][from]!();
        return entered(await ask(place, '/api/auth/sign-in/provider', { provider, answer }));
      },
      signInByWallet: async (place: Browser, subject: Person, given: Given) => {
        const wallet = wallets[subject];
        const { json } = await ask(place, '/api/auth/request-wallet', { address: wallet.address });
        const { message } = json as Signed;
        signedAt[place] = { message, signature: await wallet.signMessage({ message }) };
        return sendSigned(place, given);
      },
      sendSignedAgain: sendSigned,
      askForReturn: async (verifier: number) => {
        const challenge = { code_challenge: digest(verifierOf(verifier)), code_challenge_method: 's256' };
        return plain(await exchange('POST', '/auth/v1/otp', { email: addresses.home, ...challenge }, {}));
      },
      exchangeCode: async (program: Program, code: number, verifier: number, given: Given) => {
        const body = { auth_code: secrets.get(code) ?? 'unknown', code_verifier: verifierOf(verifier) };
        const answer = await exchange('POST', '/auth/v1/token?grant_type=pkce', body, {});
        return programEntered(program, answer, given.code);
      },
      finishSignIn,
      enrollFactor: async (program: Program) => {
        const headers = { authorization: `Bearer ${waiting[program]}` };
        const answer = await exchange('POST', '/auth/v1/factors', { factor_type: 'totp' }, headers);
        if (answer.status < 300) appSecret = (answer.json as Body).totp!.secret;
        return plain(answer);
      },
      refresh: async (program: Program) => {
        const body = { refresh_token: tokens[program]!.refresh };
        const answer = await exchange('POST', '/auth/v1/token?grant_type=refresh_token', body, {});
        if (answer.status < 300) keepTokens(program, answer.json as Body);
        return plain(answer);
      },
      tryApiToken: async (id: number) => {
        const from = '2026-03-01T00:00:00Z';
        const path = `/api/appointments?from=${from}&to=2026-03-02T00:00:00Z`;
        return plain(await exchange('GET', path, undefined, { authorization: `Bearer ${tokenOf(id)}` }));
      },

      // Signed in

      /** Asks who is signed in at a place. `idle` requests don't count as use. */
      look: async (place: Place, { idle = false } = {}) => {
        const { json } = await send(place, 'GET', '/api/me', undefined, idle ? { 'x-idle': '1' } : {});
        return result(json === null ? 'guest' : 'signed_in');
      },
      signOut: async (place: Browser) => {
        const answer = await ask(place, '/api/auth/sign-out', {});
        jars[place].delete(sessionCookie);
        return plain(answer);
      },
      signOutOthers: async (place: Place) => plain(await ask(place, '/api/me/devices/sign-out-others', {})),
      changePassword: async (place: Place, password: string, newPassword: string, code?: string) =>
        isBrowser(place)
          ? plain(await ask(place, '/api/auth/change-password', { password, newPassword, code }))
          : plain(
              await send(place, 'PUT', '/auth/v1/user', {
                current_password: password,
                password: newPassword,
              }),
            ),
      reauthenticate: async (place: Place, given: { password?: string; code?: string }) =>
        plain(await ask(place, '/api/me/reauthentication', given)),
      confirmByPasskey: async (place: Place, passkey: number) =>
        plain(await giveOwnPasskey(place, '/api/me/reauthentication', passkey)),
      addPasskey: async (place: Place, id: number, derives: Derives) => {
        const begun = await ask(place, '/api/me/passkeys/begin', {});
        if (begun.status >= 300) return plain(begun);
        const device = newDevice({ prf: derives !== 'nothing' });
        const made = device.create(begun.json as Challenge, derives === 'later' ? { prf: null } : {});
        const answer = await ask(place, '/api/me/passkeys', { passkey: made });
        if (answer.status < 300) passkeys.set(id, { device, row: (answer.json as Body).id! });
        return plain(answer);
      },
      removePasskey: async (place: Place, id: number) =>
        plain(await ask(place, `/api/me/passkeys/${passkeys.get(id)?.row ?? nobody}/remove`, {})),
      beginFactor: async (place: Browser, password: string) => {
        const answer = await ask(place, '/api/me/second-factor', { password });
        if (answer.status < 300) appSecret = (answer.json as Body).secret!;
        return plain(answer);
      },
      confirmFactor: async (place: Browser, code: string) => {
        const answer = await ask(place, '/api/me/second-factor/confirm', { code });
        keepBackupCodes(answer);
        return plain(answer);
      },
      setUpPasskeys: async (place: Place, passkey: number) => {
        const answer = await giveOwnPasskey(place, '/api/me/second-factor/passkey', passkey);
        keepBackupCodes(answer);
        return plain(answer);
      },
      removeFactor: async (place: Browser, given: { password?: string; code?: string }) =>
        plain(await ask(place, '/api/me/second-factor/remove', given)),
      renewBackupCodes: async (place: Browser, given: { password?: string; code?: string }) => {
        const answer = await ask(place, '/api/me/second-factor/codes', given);
        keepBackupCodes(answer);
        return plain(answer);
      },
      manageFactor: async (place: Program, act: FactorAct) => {
        if (act === 'enroll') return plain(await ask(place, '/auth/v1/factors', { factor_type: 'totp' }));
        const id = await factorId();
        const body = act === 'verify' ? { challenge_id: id, code: '000000' } : {};
        return plain(await ask(place, `/auth/v1/factors/${id}/${act}`, body));
      },
      forgetDevice: async (place: Place, device: Browser) => {
        const held = [...jars[device]].filter(([name]) => name.startsWith('italk.device.'));
        const row = await db
          .selectFrom('known_devices')
          .select('id')
          .where('user_id', '=', userId)
          .where('token', 'in', ['', ...held.map(([, token]) => digest(token))])
          .executeTakeFirst();
        return plain(await ask(place, `/api/me/trusted-devices/${row?.id ?? nobody}/forget`, {}));
      },
      createApiToken: async (place: Place) =>
        plain(
          await ask(place, '/api/me/api-tokens', { name: 'Desk', scopes: ['appointments:read'], days: 366 }),
        ),
      revokeApiToken: async (place: Place, id: number) =>
        plain(await ask(place, `/api/me/api-tokens/${await apiTokenRow(id)}/revoke`, {})),
      connectIdentity: async (place: Browser, who: Vouched) => {
        const { provider } = who;
        const begun = await ask(place, '/api/me/identities/begin', { provider });
        if (begun.status >= 300) return plain(begun);
        const answer = await visit((begun.json as Body).continueAt!, who)();
        return plain(await ask(place, '/api/me/identities', { provider, answer }));
      },
      connectWallet: async (place: Browser, subject: Person | 'foreign') => {
        const { address, signMessage } = wallets[subject];
        const begun = await ask(place, '/api/me/identities/wallet/begin', { address });
        if (begun.status >= 300) return plain(begun);
        const { message } = begun.json as Signed;
        const signature = await signMessage({ message });
        return plain(await ask(place, '/api/me/identities/wallet', { message, signature }));
      },
      disconnectIdentity: async (place: Browser, which: Provider | 'wallet') => {
        const row = await db
          .selectFrom('linked_identities')
          .select('id')
          .where('user_id', '=', userId)
          .where('provider', '=', which === 'wallet' ? walletProvider : which)
          .executeTakeFirst();
        return plain(await ask(place, `/api/me/identities/${row?.id ?? nobody}/remove`, {}));
      },
      beginPhone: async (place: Place, number: Person) =>
        plain(await ask(place, '/api/me/sign-in-phone/code', { phone: numbers[number] })),
      addPhone: async (place: Place, number: Person, typed: number | null) =>
        plain(await ask(place, '/api/me/sign-in-phone', { phone: numbers[number], code: codeTyped(typed) })),
      removePhone: async (place: Place) => plain(await ask(place, '/api/me/sign-in-phone/remove', {})),
      requestEmailChange: async (place: Place, to: Address) =>
        plain(await ask(place, '/api/me/email-change', { email: addresses[to] })),
      requestEmailChangeByPassword: async (place: Program, to: Address, password: string) =>
        plain(
          await send(place, 'PUT', '/auth/v1/user', { email: addresses[to], current_password: password }),
        ),
      resendEmailChange: async (place: Place) => plain(await ask(place, '/api/me/email-change/resend', {})),
      cancelEmailChange: async (place: Place) => plain(await ask(place, '/api/me/email-change/cancel', {})),
      readJournal: async (place: Place, { idle = false } = {}) => {
        const answer = await send(place, 'GET', '/api/journal', undefined, idle ? { 'x-idle': '1' } : {});
        if (answer.status >= 300) return plain(answer);
        const { entries } = answer.json as Required<Body>;
        expect(entries.every(({ text }) => text === words)).toBe(true);
        return result(entries.length > 0 ? 'words' : 'empty');
      },
      writeJournal: async (place: Place) => plain(await ask(place, '/api/journal', { text: words })),
      unlockWords: async (place: Place, { passkey, recoveryKey, ...given }: Unlocking) => {
        const body: Record<string, unknown> = given;
        if (recoveryKey !== undefined) body.recoveryKey = secrets.get(recoveryKey) ?? 'none';
        if (passkey !== undefined) {
          const question = await ask(place, '/api/me/passkeys/ask', {});
          if (question.status >= 300) return plain(question);
          body.passkey = deviceOf(passkey).get(question.json as Challenge);
        }
        return plain(await ask(place, '/api/me/words/unlock', body));
      },
      renewRecoveryKey: async (place: Place) =>
        plain(await ask(place, '/api/me/words/recovery-key', { confirmed: true })),
      startOver: async (place: Place) =>
        plain(await ask(place, '/api/me/words/start-over', { confirmed: true })),
      requestDeletion: async (place: Browser, password: string) =>
        plain(await ask(place, '/api/me/deletion', { password })),
      keepAccount: async (place: Browser) => plain(await ask(place, '/api/me/deletion/undo', {})),

      // Administrators

      demandFactor: async (requireTwoFactor: boolean) => {
        const { version } = await db.selectFrom('site_settings').select('version').executeTakeFirstOrThrow();
        return plain(await administer('settings', { version, change: { requireTwoFactor } }, '/api/admin'));
      },
      suspend: async () => plain(await administer('suspend', { reason: 'safety' })),
      reactivate: async () => plain(await administer('reactivate')),
      changeRole: async (from: string, to: string) => {
        if (to === 'doctor') await addListing();
        return plain(await administer('role', { from, to }));
      },
      resetFactor: async () => plain(await administer('second-factor/reset')),
      revokeApiTokenOf: async (id: number) =>
        plain(await administer(`api-tokens/${await apiTokenRow(id)}/revoke`, { reason: 'asked' })),
      changeAddress: async (to: Address) => {
        const { version, name } = (await administer('open')).json as { version: string; name: string };
        return plain(await administer('edit', { version, fullName: name, email: addresses[to] }));
      },

      // What the attacker gets, and time

      copyCookie: (from: Browser, to: Browser) =>
        void jars[to].set(sessionCookie, jars[from].get(sessionCookie) ?? ''),
      copyTokens: (from: Program, to: Program) => void (tokens[to] = tokens[from]!),
      setNow: (now: number) => database.setNow(Temporal.Instant.fromEpochMilliseconds(now).toString()),
      erase: async () => {
        await askForDueDeletions(database.as({ kind: 'job', name: 'tidy' }));
        await database.runJobs();
        userId = null;
      },

      /** What the person types as the second step; something wrong if they don't have it. */
      codeOf(m: Model, person: Person, second: Code): string | undefined {
        const factor = m.account?.factor;
        if (second === 'none') return undefined;
        if (second === 'app' && factor?.holders.includes(person))
          return new TOTP({ secret: Secret.fromBase32(appSecret) }).generate({ timestamp: m.now });
        if (second === 'backup' && factor?.backup.holders.includes(person))
          return backupCodes[factor.backup.used] ?? 'none-left';
        if (second === 'spent')
          return backupCodes[(factor?.backup.used ?? 0) - 1] ?? formerCodes[0] ?? 'none';
        return '000000';
      },

      secondOf(m: Model, person: Person, second: SecondStep): Given {
        if (typeof second === 'string') return { code: this.codeOf(m, person, second) };
        return 'trusting' in second ? { ...this.secondOf(m, person, second.trusting), trust: true } : second;
      },

      /** Delivers and keeps links and codes, which must be the expected ones. */
      async deliver({ mails = [], texts = [] }: Outcome, now: number): Promise<void> {
        const ran = await database.runJobs();
        const arrived = sms.sent.slice(texted);
        texted = sms.sent.length;
        expect(arrived.map(({ to }) => to)).toEqual(texts.map(({ to }) => numbers[to]));
        for (const { to, id } of texts) secrets.set(id, sms.codeTo(numbers[to]));
        if (ran === 0 && mails.length === 0) return;
        const rows = await database.readMails((of) =>
          of.where('recipient', 'in', Object.values(addresses)).where('created_at', '>=', new Date(now)),
        );
        const got = rows.flatMap(({ recipient, text_body: text }) => {
          const to = recipient === addresses.home ? 'home' : 'other';
          const [, path, token] = mailed.exec(text) ?? [];
          if (token) return [{ to, kind: linkKinds[path!] ?? path, token }];
          const [, inBrowser, inProgram] = mailedCode.exec(text) ?? [];
          const code = inBrowser ?? inProgram;
          return code ? [{ to, kind: 'code', token: code }] : [];
        });
        expect(got.map(({ to, kind }) => `${kind} to ${to}`)).toEqual(
          mails.map(({ to, kind }) => `${kind} to ${to}`),
        );
        for (const [at, { id }] of mails.entries()) secrets.set(id, got[at]!.token);
      },

      /** Successes that these requests left in the audit log, besides looks and listings. */
      async entriesOf(ids: readonly string[]): Promise<string[]> {
        const rows = await db
          .selectFrom('audit_entries')
          .select('action')
          // Ids begin with their time; `request_id` has no index.
          .where('id', '>=', `${ids[0]!.slice(0, 13)}-0000-0000-000000000000`)
          .where('request_id', 'in', ids)
          .where('success', '=', true)
          .where('action', 'not in', ['user_viewed', 'provider.listed', 'provider.unlisted'])
          .execute();
        return rows.map(({ action }) => action);
      },

      /** The account's state in the database. */
      async stored(now: number) {
        const { home, other } = addresses;
        const account = await db
          .selectFrom('users')
          .innerJoin('profiles', 'profiles.id', 'users.id')
          .leftJoin('sign_in_phones', 'sign_in_phones.user_id', 'users.id')
          .leftJoin('email_change_requests as change', (join) =>
            join.onRef('change.user_id', '=', 'users.id').on('change.expires_at', '>', new Date(now)),
          )
          .leftJoin('author_keys', 'author_keys.person_id', 'users.id')
          .select(['author_keys.person_id as author', 'password_replaced', 'by_recovery_key'])
          .select(['change.address as wanted', 'former_confirmed_at', 'new_confirmed_at'])
          .select(['users.id', 'email', 'email_verified', 'number', 'role', 'suspended_at', 'delete_after'])
          .select(({ selectFrom, exists }) => [
            selectFrom('sessions')
              .whereRef('user_id', '=', 'users.id')
              .where('expires_at', '>', new Date(now))
              .select(sql<number[]>`array[count(*), count(author_key), count(passkey_key)]::int[]`.as('n'))
              .as('sessions'),
            selectFrom('api_tokens')
              .whereRef('user_id', '=', 'users.id')
              .select(({ fn }) => fn.countAll<number>().as('n'))
              .as('apiTokens'),
            selectFrom('passkeys')
              .whereRef('user_id', '=', 'users.id')
              .select(sql<number[]>`array[count(*), count(author_key)]::int[]`.as('n'))
              .as('passkeys'),
            selectFrom('known_devices')
              .whereRef('user_id', '=', 'users.id')
              .where('trusted_until', '>', new Date(now))
              .select(({ fn }) => fn.countAll<number>().as('n'))
              .as('trusted'),
            exists(selectFrom('credentials').select('id').whereRef('user_id', '=', 'users.id')).as(
              'password',
            ),
            selectFrom('linked_identities')
              .whereRef('user_id', '=', 'users.id')
              .select(({ fn }) => fn.agg<string[]>('array_agg', ['provider']).as('all'))
              .as('identities'),
            selectFrom('second_factors')
              .whereRef('user_id', '=', 'users.id')
              .select(
                sql<string>`case when not by_passkey then case when confirmed_at is null then 'pending' else 'on' end
                  when secret is null then 'passkeys' else 'passkeys and pending' end`.as('state'),
              )
              .as('factor'),
          ])
          .where('email', 'in', [home, other])
          .executeTakeFirst();
        userId = account?.id ?? null;
        if (!account) return null;
        const [sessions, opened, passkeysWaiting] = account.sessions!;
        const [all, opening] = account.passkeys!;
        return {
          address: account.email === home ? 'home' : 'other',
          verified: account.email_verified,
          role: account.role,
          suspended: account.suspended_at !== null,
          deleting: account.delete_after !== null,
          sessions: { all: sessions, opened, waiting: passkeysWaiting },
          trusted: Number(account.trusted),
          apiTokens: Number(account.apiTokens),
          emailChange: account.wanted && {
            to: account.wanted === home ? 'home' : 'other',
            former: account.former_confirmed_at !== null,
            new: account.new_confirmed_at !== null,
          },
          passkeys: { all, opening },
          words: account.author && {
            replaced: account.password_replaced,
            recoveryKey: account.by_recovery_key !== null,
          },
          phone: account.number && (account.number === numbers.owner ? 'owner' : 'attacker'),
          password: Boolean(account.password),
          identities: (account.identities ?? []).toSorted(),
          factor: account.factor ?? 'off',
        };
      },
    };

    async function sendSigned(place: Browser, given: Given): Promise<Result> {
      const second = await secondAt(place, given);
      return entered(await ask(place, '/api/auth/sign-in/wallet', { ...signedAt[place], ...second }));
    }

    async function comeBack(place: Browser, provider: Provider, given: Given): Promise<Result> {
      const body = { provider, answer: await bring[provider][place]!() };
      const second = await secondAt(place, given);
      return entered(await ask(place, '/api/auth/sign-in/provider', { ...body, ...second }));
    }

    /** Returns what brings the provider's answer to us; it can be brought again. */
    function visit(continueAt: string, { provider, subject, email }: Vouched): () => Promise<string> {
      const nameId = subject === 'owner' ? addresses.home : addresses.other;
      const claims = { email: addresses[email], emailVerified: subject === 'owner' };
      if (provider === 'church') {
        const answer = church.visit(continueAt, { subject: nameId, ...claims });
        return () => Promise.resolve(answer);
      }
      const now = database.as({ kind: 'system' }).now();
      const form = new URLSearchParams(clinic.visit(continueAt, { nameId, email: addresses[email], now }));
      return async () => {
        // The provider's page posts it, without our cookies.
        const { headers } = await exchange('POST', '/saml/clinic/acs', form.toString(), {
          'content-type': 'application/x-www-form-urlencoded',
          origin: new URL(clinic.config.signOnUrl).origin,
        });
        return new URL(headers.location as string).search;
      };
    }

    function verifierOf(id: number): string {
      return `verifier-${worlds}-${id}-${'x'.repeat(43)}`;
    }

    function codeTyped(id: number | null): string {
      return (id !== null && secrets.get(id)) || '000000';
    }

    function tokenOf(id: number): string {
      return secrets.get(id) ?? 'italk_unknown';
    }

    async function apiTokenRow(id: number): Promise<string> {
      const row = await db
        .selectFrom('api_tokens')
        .select('id')
        .where('token', '=', digest(tokenOf(id)))
        .executeTakeFirst();
      return row?.id ?? nobody;
    }

    function keepBackupCodes({ status, json }: Answer): void {
      if (status >= 300) return;
      formerCodes = backupCodes;
      backupCodes = (json as Body).backupCodes!;
    }

    /** A specialist's listing, which the role needs. */
    async function addListing(): Promise<void> {
      await db
        .insertInto('providers')
        .values({
          id: userId!,
          slug: `doctor-${userId}`,
          kind: 'doctor',
          title: 'Psychologist',
          specialties: ['Grief'],
          experience: '10 years',
          location: 'Boston',
          bio: 'Listens.',
          phone: null,
          time_zone: 'America/New_York',
          approves_first: false,
          listed: false,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  };
}

/** What a provider says about a person. */
interface Vouched {
  provider: Provider;
  subject: Person;
  email: Address;
}

type Wallet = ReturnType<typeof newWallet>;

const newWallet = () => privateKeyToAccount(generatePrivateKey());

/** Adds an account with this passkey and wallet. */
async function addAnother(server: TestServer, device: Authenticator, wallet: Wallet): Promise<void> {
  const another = await server.signIn(await addClient(server.database.db));
  const send = async (path: string, body: object) => {
    const { status, text, json } = await another.send('POST', `/api/me/${path}`, { body });
    expect(status, text).toBe(200);
    return json;
  };
  await send('reauthentication', { password: demoPassword });
  await send('passkeys', { passkey: device.create((await send('passkeys/begin', {})) as Challenge) });
  const { message } = (await send('identities/wallet/begin', { address: wallet.address })) as Signed;
  await send('identities/wallet', { message, signature: await wallet.signMessage({ message }) });
}

/** Of another account, in everyone's hands. */
export const foreignPasskey = -1;

const nobody = '00000000-0000-7000-8000-000000000000';

function reasonOf(json: unknown): string {
  const { error_code: programCode, reason, fields } = json as Problem & { error_code?: string };
  if (programCode)
    return ['session_not_found', 'bad_jwt', 'no_authorization'].includes(programCode)
      ? 'no_session'
      : programCode;
  if (reason === 'sign_in_required' || reason === 'bad_token') return 'no_session';
  const field = fields?.[0];
  if (!field) return reason;
  return field.field === 'emailCode' ? 'wrong_email_code' : field.reason;
}
