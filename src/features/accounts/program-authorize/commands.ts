import { parseBody } from '#/platform/http/json-body.ts';
import type { EndpointCall } from '../identity/commands.ts';
import { identityInputs } from '../identity/contract.ts';
import { beginLink, openLink } from '../program-identities/commands.ts';
import { returnInputs } from '../program-returns/contract.ts';
import { requestProvider } from '../provider-sign-in/commands.ts';
import { requireReturnTo, requireSsoProvider } from './policies.ts';

/** Returns a provider's page for this browser. */
export async function providerAddress(call: EndpointCall, query: URLSearchParams): Promise<string> {
  if (query.has('link')) return openLink(call, parseBody(returnInputs.link, Object.fromEntries(query)));
  const { provider, returnTo } = askedIn(call, query);
  return (await requestProvider({ ...call, returnTo }, { provider })).continueAt!;
}

/** A one-time address that connects an identity. */
export async function linkAddress(call: EndpointCall, query: URLSearchParams): Promise<{ url: string }> {
  const { provider, returnTo } = askedIn(call, query);
  return { url: addressOf(call, { provider, link: await beginLink(call, provider, returnTo) }) };
}

/** Returns our address that sets the cookie first. */
export function ssoAddress(call: EndpointCall, body: unknown): { url: string } {
  const { providers, programRedirects } = call.server;
  const sent = parseBody(returnInputs.sso, body);
  const { redirect, challenge } = requireReturnTo(programRedirects, body, sent.redirect_to ?? null);
  const url = addressOf(call, {
    provider: requireSsoProvider(providers, sent).id,
    redirect_to: redirect,
    code_challenge: challenge,
    code_challenge_method: 's256',
  });
  return { url };
}

function askedIn({ server }: EndpointCall, query: URLSearchParams) {
  const { provider, redirect_to: redirectTo, ...sent } = Object.fromEntries(query);
  const returnTo = requireReturnTo(server.programRedirects, sent, redirectTo ?? null);
  return { ...parseBody(identityInputs['/request-provider'], { provider }), returnTo };
}

function addressOf({ server }: EndpointCall, query: Record<string, string>): string {
  return `${server.appUrl}/auth/v1/authorize?${new URLSearchParams(query).toString()}`;
}
