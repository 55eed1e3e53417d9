import { expect } from 'vitest';
import { selfOf } from '#/features/access/rules.ts';
import { unlockWords } from '#/features/accounts/author-keys/commands.ts';
import { makeLinkToken, signedIn } from '#/features/accounts/commands.ts';
import { addPasskey, askOwnPasskey, beginPasskey } from '#/features/accounts/passkeys/commands.ts';
import type { Assertion, Attestation } from '#/features/accounts/webauthn/contract.ts';
import { journalOf } from '#/features/growth/journal/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Authenticator, Said } from './authenticator.ts';
import type { TestDatabase } from './database.ts';
import { appUrl, type identitiesOf } from './identity.ts';

export const newPassword = 'another-quiet-room-43';
export const words = { title: 'Riverwords', text: 'Candlewords by the river' };
export const locked = { code: 'precondition', reason: 'words_locked' };

export type Member = Awaited<ReturnType<ReturnType<typeof authorsOf>['member']>>;

export async function textsOf(ctx: Ctx): Promise<string[]> {
  const { entries } = await journalOf(ctx, selfOf(ctx), { limit: 50 });
  return entries.map(({ text }) => text);
}

/** People who write, signed in as browsers are. */
export function authorsOf({ db, as }: TestDatabase, identities: ReturnType<typeof identitiesOf>) {
  const { production, send, signIn, verified, guest } = identities;
  let people = 0;

  async function visit(cookie: string): Promise<Ctx> {
    const headers = new Headers({ cookie });
    const { sessionKey } = production.sessionOf(headers, () => undefined);
    return { ...as(await production.actorOf(headers)), ...(sessionKey && { sessionKey }) };
  }

  /** A new person, signed in with their password. */
  async function member() {
    people += 1;
    const email = `author${people}@italk.test`;
    const { id } = await verified(email);
    const { cookie } = await signIn(production, email);
    return { id, email, cookie, ctx: await visit(cookie) };
  }

  async function signedInWith(email: string, secret: string): Promise<Ctx> {
    const { body, cookie } = await signIn(production, email, secret);
    expect(body).toEqual({ signedIn: true });
    return visit(cookie);
  }

  async function reset(who: { id: string }, chosen = newPassword): Promise<Ctx> {
    const token = await makeLinkToken(guest, 'reset-password', who.id);
    const { cookie } = await send(production, '/reset-password', { token, newPassword: chosen });
    return visit(cookie);
  }

  /** Adds a passkey as if they had just confirmed who they are. */
  async function addTo(ctx: Ctx, device: Authenticator, said: Said = {}) {
    const at = new Date(ctx.now().epochMilliseconds);
    await db
      .updateTable('sessions')
      .set({ reauthenticated_at: at, fully_reauthenticated_at: at })
      .where('id', '=', signedIn(ctx).sessionId)
      .execute();
    const passkey = device.create(await beginPasskey(ctx, appUrl), said) as Attestation;
    return addPasskey(ctx, appUrl, { passkey });
  }

  async function askedToSignIn() {
    const { body, cookie } = await send(production, '/request-passkey', {});
    return { options: body.passkey as { challenge: string }, cookie };
  }

  /** Signs in with a passkey, and with the password before it if given. */
  async function enterBy(
    device: Authenticator,
    said: Said = {},
    by?: { email: string; password: string },
  ): Promise<Ctx> {
    const { options, cookie } = await askedToSignIn();
    const passkey = device.get(options, said);
    const path = by ? '/sign-in/email' : '/sign-in/passkey';
    const entered = await send(production, path, { ...by, passkey }, { cookie });
    expect(entered.body).toEqual({ signedIn: true });
    return visit(entered.cookie);
  }

  async function unlockBy(ctx: Ctx, device: Authenticator, said: Said = {}) {
    const passkey = device.get(await askOwnPasskey(ctx, appUrl), said) as Assertion;
    return unlockWords(ctx, appUrl, { passkey });
  }

  return { visit, member, signedInWith, reset, addTo, askedToSignIn, enterBy, unlockBy };
}
