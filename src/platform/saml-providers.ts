import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import type { OpenIdProvider } from './openid-providers.ts';
import { domains, named, providerList, requireDistinct, requireTls } from './provider-list.ts';

/** A SAML 2.0 identity provider that people of its domains can sign in with. */
export interface SamlProvider {
  /** It posts its responses to `/saml/{id}/acs`. */
  id: string;
  /** Name shown to people. */
  label: string;
  entityId: string;
  signOnUrl: string;
  /** In PEM. Any of them may have signed. */
  certificates: readonly string[];
  /** Lowercase, at least one. The provider vouches for their addresses. */
  domains: readonly string[];
  /** Undefined: the NameID is the address. */
  emailAttribute?: string | undefined;
  /** Names new accounts. */
  nameAttribute?: string | undefined;
}

const attribute = z.string().min(1).max(256).optional();

const provider = z.strictObject({
  ...named,
  entityId: z.string().min(1).max(1024),
  signOnUrl: z.url({ protocol: /^https?$/ }).refine((url) => !url.includes('#'), 'leave out #'),
  certificates: z
    .array(z.string().transform(certificateOf))
    .min(1)
    .max(2, 'list one, or two while the provider changes its key'),
  domains: domains.min(1),
  emailAttribute: attribute,
  nameAttribute: attribute,
});

/**
 * Parses SAML_PROVIDERS, a JSON list. Only a demo (`loopback`) may use a provider without TLS, and only one on this
 * machine. Throws a StartError that repeats no certificate.
 */
export function samlProvidersOf(
  text: string | undefined,
  { loopback, openIdProviders }: { loopback: boolean; openIdProviders: readonly OpenIdProvider[] },
): SamlProvider[] {
  const example =
    '{"id":"…","label":"…","entityId":"…","signOnUrl":"https://…","certificates":["MIIC…"],"domains":["church.example"]}';
  const list = providerList('SAML_PROVIDERS', provider, { text, example });
  for (const { id, signOnUrl: url } of list) requireTls('SAML_PROVIDERS', { id, url, loopback });
  const issuers = list.map(({ id, entityId }) => ({ id, 'entity id': entityId }));
  const others = openIdProviders.map(({ id, issuer }) => ({ id, 'entity id': issuer }));
  // Pages and identities don’t distinguish the protocols.
  requireDistinct('SAML_PROVIDERS', issuers, ['id', 'entity id']);
  requireDistinct('SAML_PROVIDERS and OIDC_PROVIDERS together', [...issuers, ...others], ['id', 'entity id']);
  const owned = list.flatMap((one) => one.domains.map((domain) => ({ domain })));
  requireDistinct('SAML_PROVIDERS', owned, ['domain']);
  return list;
}

/** Returns a certificate in PEM, if its key is strong enough. Takes it without line breaks, which files of variables can't hold. */
function certificateOf(text: string, context: z.RefinementCtx): string {
  try {
    const base64 = text.replaceAll(/-----(?:BEGIN|END) CERTIFICATE-----/g, '');
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048)
      return certificate.toString();
    context.addIssue({ code: 'custom', message: 'needs an RSA key of at least 2048 bits' });
  } catch {
    context.addIssue({ code: 'custom', message: 'isn’t an X.509 certificate' });
  }
  return z.NEVER;
}
