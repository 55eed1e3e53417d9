import { createHmac } from 'node:crypto';
import { emailAddress, personName } from '#/features/access/contract.ts';
import type { Ctx } from '#/platform/context.ts';
import { parseBody } from '#/platform/http/json-body.ts';
import type { SamlProvider } from '#/platform/saml-providers.ts';
import { storeResponse, refusedBy, type Proof, type SignInProvider } from '../openid/commands.ts';
import { requireProvider } from '../openid/policies.ts';
import {
  assertionFor,
  attributeIn,
  envelopeFor,
  postedForm,
  type Expected,
  type SamlAssertion,
} from './contract.ts';

const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const emailed = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const canceled = [
  'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed',
  'urn:oasis:names:tc:SAML:2.0:status:RequestDenied',
];

/** Accepted signature methods, digests and transforms. No SHA-1. */
const algorithms = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2001/10/xml-exc-c14n#',
]);

/** Four times the tags of a person in 200 groups. More would cost the library seconds. */
const maxTags = 2_000;

export interface SamlSignIn extends SignInProvider {
  /** Describes us to its administrator, as XML. */
  metadata(): Promise<string>;
}

/** Signs in with a SAML 2.0 provider that we ask (Web Browser SSO Profile): by redirect, answered by post. */
export function samlSignIn(
  provider: SamlProvider,
  { appUrl, secret }: { appUrl: string; secret: string },
): SamlSignIn {
  const { id, label, domains, entityId, emailAttribute, nameAttribute } = provider;
  const us = `${appUrl}/saml/${id}`;
  const recipient = `${us}/acs`;
  const nameIdFormat = emailAttribute === undefined ? emailed : persistent;
  /** An XML id, derived like OpenID Connect's nonce. */
  const requestIdOf = (state: string) =>
    `_${createHmac('sha256', secret).update(`saml request ${state}`).digest('hex')}`;

  const saml = async ({ requestId, isSigned = false }: { requestId?: string; isSigned?: boolean } = {}) => {
    // 25 MB that most sites don't need.
    const { SAML } = await import('@node-saml/node-saml');
    return new SAML({
      issuer: `${us}/metadata`,
      audience: `${us}/metadata`,
      callbackUrl: recipient,
      entryPoint: provider.signOnUrl,
      idpCert: [...provider.certificates],
      identifierFormat: nameIdFormat,
      ...(requestId === undefined ? {} : { generateUniqueId: () => requestId }),
      // Leaves the way of authentication to the provider.
      disableRequestedAuthnContext: true,
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: isSigned,
      // Disables its check by the machine's clock; `assertionFor` uses ours.
      acceptedClockSkewMs: -1,
    });
  };

  async function prove(state: string, answer: string, now: Temporal.Instant): Promise<Proof> {
    const refused = refusedBy(provider, 'unauthenticated', 'provider_refused');
    const expected: Expected = { entityId, requestId: requestIdOf(state), recipient, nameIdFormat };
    const envelope = envelopeFor(expected).safeParse(await treeOf(answer)).data;
    if (!envelope) throw refused;
    const { Status, Signature } = envelope.Response;
    const status = Status.StatusCode;
    if (status.StatusCode.some(({ $ }) => canceled.includes($.Value)))
      throw refusedBy(provider, 'precondition', 'provider_canceled');
    if (status.$.Value !== success) throw refused;
    const library = await saml({ isSigned: Signature !== undefined });
    const verified = await library.validatePostResponseAsync({ SAMLResponse: answer }).catch(() => null);
    // Only what the signature covers.
    const signed = assertionFor(expected, now).safeParse(verified?.profile?.getAssertion?.()).data;
    if (!signed) throw refused;
    return proofOf(signed);
  }

  function proofOf(signed: SamlAssertion): Proof {
    const nameId = signed.Assertion.Subject.NameID._;
    const address = emailAttribute === undefined ? nameId : attributeIn(signed, emailAttribute);
    const name = nameAttribute === undefined ? undefined : attributeIn(signed, nameAttribute);
    return {
      issuer: entityId,
      subject: nameId,
      email: emailAddress.safeParse(address).data ?? null,
      // Providers are trusted for their own domains only.
      emailVerified: true,
      name: personName.safeParse(name).data ?? null,
    };
  }

  return {
    id,
    label,
    domains,
    askAt: async (state) =>
      (await saml({ requestId: requestIdOf(state) })).getAuthorizeUrlAsync(state, undefined, {}),
    prove,
    metadata: async () => (await saml()).generateServiceProviderMetadata(null),
  };
}

/**
 * Stores a response that the provider posts through a browser, and redirects it to the page that uses it. Nobody is
 * signed in here, since the post comes without our cookie. Throws not_found `provider`, invalid `fields`.
 */
export async function receiveResponse(
  ctx: Ctx,
  { saml: providers, appUrl }: { saml: readonly SamlSignIn[]; appUrl: string },
  { id, form }: { id: string; form: string },
): Promise<Response> {
  const { id: provider } = requireProvider({ providers }, id);
  const posted = parseBody(postedForm, Object.fromEntries(new URLSearchParams(form)));
  const { SAMLResponse: response, RelayState: state } = posted;
  await storeResponse(ctx, { state, provider, response });
  const location = `${appUrl}/continue/${provider}?${new URLSearchParams({ state }).toString()}`;
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}

/** Parses a response. Returns null for anything but plain XML with accepted signatures. */
async function treeOf(base64: string): Promise<unknown> {
  try {
    const xml = Buffer.from(base64, 'base64').toString();
    // Refuses DTDs (entities) and comments, which can truncate names.
    if (/<!|.<\?/s.test(xml) || xml.split('<').length > maxTags) return null;
    const used = [...xml.matchAll(/Algorithm\s*=\s*["']([^"']*)["']/g)].map(([, algorithm]) => algorithm!);
    if (!used.every((algorithm) => algorithms.has(algorithm))) return null;
    const { parseStringPromise, processors } = await import('xml2js');
    // Like the library.
    return await parseStringPromise(xml, {
      explicitCharkey: true,
      tagNameProcessors: [processors.stripPrefix],
    });
  } catch {
    return null;
  }
}
