import type { Actor } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import { actorOfApiToken, type TokenActor } from '../api-tokens/commands.ts';
import { isApiToken } from '../api-tokens/rules.ts';
import { guestContext, type IdentityServer } from '../identity/commands.ts';
import { readToken } from '../program-keys/commands.ts';
import { fullAudience, partiesOf, waitingAudience } from '../program-keys/rules.ts';
import { personOfClaims, type Person } from '../program-sessions/commands.ts';
import { bearerIn } from '../program-sessions/rules.ts';
import { waitingSignInOf, type WaitingSignIn } from '../waiting-sign-ins/commands.ts';

/** Returns a request's sender by its access token. */
export type ProgramCaller =
  | { kind: 'signed_in'; actor: Person }
  /** An API token acts only in procedures with a scope: as a guest everywhere else. */
  | { kind: 'machine'; actor: Extract<Actor, { kind: 'guest' }>; owner: TokenActor }
  | { kind: 'waiting'; actor: Extract<Actor, { kind: 'guest' }>; signIn: WaitingSignIn }
  | { kind: 'stranger'; actor: Extract<Actor, { kind: 'guest' }>; reason: TokenFault };

/** `sign_in_required` if the session ended or the person may not use programs. */
type TokenFault = 'no_token' | 'bad_token' | 'sign_in_required';

/**
 * Reads a request's access or API token, and counts as its use unless it's a background request. Takes no cookie. Throws
 * like `actorOfApiToken`.
 */
export async function callerOf(
  server: IdentityServer,
  headers: Headers,
  address: string | null,
): Promise<ProgramCaller> {
  const actor = { kind: 'guest' } as const;
  const stranger = (reason: TokenFault) => ({ kind: 'stranger', actor, reason }) as const;
  const token = bearerIn(headers.get('authorization'));
  if (token === null) return stranger('no_token');
  const ctx = guestContext(server.base, 'session', address);
  if (isApiToken(token)) return { kind: 'machine', actor, owner: await actorOfApiToken(ctx, server, token) };
  const claims = await readToken(ctx, token, partiesOf(server.appUrl, [fullAudience, waitingAudience]));
  if (!claims) return stranger('bad_token');
  if (claims.aud === waitingAudience) {
    const signIn = await waitingSignInOf(ctx, claims);
    return signIn ? { kind: 'waiting', actor, signIn } : stranger('bad_token');
  }
  const person = await personOfClaims(server, claims, { noted: !headers.has('x-idle') });
  if (!person) return stranger('sign_in_required');
  return { kind: 'signed_in', actor: { ...person, issuedAt: claims.iat } };
}

/** Throws unauthenticated for a stranger, with the token's fault, and forbidden `factor_needed` for a waiting sign-in. */
export function requireSignedIn(caller: ProgramCaller): Person {
  if (caller.kind === 'waiting') throw new AppError('forbidden', 'factor_needed');
  if (caller.kind === 'machine') throw new AppError('unauthenticated', 'bad_token');
  if (caller.kind === 'stranger') throw new AppError('unauthenticated', caller.reason);
  return caller.actor;
}
