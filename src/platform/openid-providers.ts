import { z } from 'zod';
import { domains, named, providerList, requireDistinct, requireTls } from './provider-list.ts';

/** An OpenID Connect provider that people can sign in with. */
export interface OpenIdProvider {
  /** It sends people back to `/continue/{id}`. */
  id: string;
  /** Name shown to people. */
  label: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Lowercase. If not empty, only verified addresses in these domains are accepted. */
  domains: readonly string[];
  /** Client ids of programs, whose ID tokens sign in. None by default. */
  programClientIds: readonly string[];
}

const provider = z.strictObject({
  ...named,
  issuer: z.url({ protocol: /^https?$/ }).refine((url) => !/[?#]/.test(url), 'leave out ? and #'),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  domains: domains.default([]),
  programClientIds: z.array(z.string().min(1)).default([]),
});

/**
 * Parses OIDC_PROVIDERS, a JSON list. Only a demo (`loopback`) may use a provider without TLS, and only one on this
 * machine. Throws a StartError that repeats no secret.
 */
export function openIdProvidersOf(
  text: string | undefined,
  { loopback }: { loopback: boolean },
): OpenIdProvider[] {
  const example = '{"id":"…","label":"…","issuer":"https://…","clientId":"…","clientSecret":"…"}';
  const list = providerList('OIDC_PROVIDERS', provider, { text, example });
  for (const { id, issuer } of list) requireTls('OIDC_PROVIDERS', { id, url: issuer, loopback });
  requireDistinct('OIDC_PROVIDERS', list, ['id', 'issuer']);
  return list;
}
