import { z } from 'zod';
import { isLoopback } from './config-safety.ts';
import { StartError } from './start-error.ts';

/** An OpenID Connect provider that people can sign in with. */
export interface OpenIdProvider {
  /** It sends people back to `/continue/{id}`. */
  id: string;
  /** As people know it. */
  label: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Lowercase. If any, only verified addresses of these domains. */
  domains: readonly string[];
  /** Client ids of programs, whose ID tokens sign in. None by default. */
  programClientIds: readonly string[];
}

const provider = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, 'use lowercase letters, digits and hyphens'),
  label: z.string().trim().min(1).max(40),
  issuer: z.url({ protocol: /^https?$/ }).refine((url) => !/[?#]/.test(url), 'leave out ? and #'),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  domains: z
    .array(
      z
        .string()
        .toLowerCase()
        .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'write domains such as church.example'),
    )
    .default([]),
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
  if (!text?.trim()) return [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new StartError(
      'OIDC_PROVIDERS isn’t JSON. Set it to [{"id":"…","label":"…","issuer":"https://…","clientId":"…","clientSecret":"…"}].',
    );
  }
  const parsed = z.array(provider).safeParse(list);
  if (!parsed.success) {
    const [fault] = parsed.error.issues;
    const where = fault!.path.map((part) =>
      typeof part === 'number' ? `provider ${part + 1}` : String(part),
    );
    throw new StartError(`OIDC_PROVIDERS can’t be used: ${[...where, fault!.message].join(', ')}.`);
  }
  for (const { id, issuer } of parsed.data) {
    const { protocol, hostname } = new URL(issuer);
    if (protocol !== 'https:' && !(loopback && isLoopback(hostname)))
      throw new StartError(`OIDC_PROVIDERS has a provider without https: ${id}. Use its https issuer.`);
  }
  for (const key of ['id', 'issuer'] as const)
    if (new Set(parsed.data.map((one) => one[key])).size < parsed.data.length)
      throw new StartError(`OIDC_PROVIDERS has two providers with the same ${key}.`);
  return parsed.data;
}
