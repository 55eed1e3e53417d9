import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import type { SamlProvider } from '#/platform/saml-providers.ts';

/** A provider's answer for one person, valid unless changed. */
export interface Responded {
  nameId?: string;
  /** Null leaves the attribute out. */
  email?: string | null;
  now?: Temporal.Instant;
  /** Changes an assertion before it's signed. */
  assertion?: (xml: string) => string;
  /** Changes the response before it's signed. */
  response?: (xml: string) => string;
  /** Changes everything after it's signed. */
  tampered?: (xml: string) => string;
  /** The signed parts; by default the assertion. */
  signed?: readonly ('assertion' | 'response')[];
  /** Signs with this key, and shows its certificate. */
  keys?: Keys;
  /** Of signatures and of digests. */
  algorithms?: readonly [signature: string, digest: string];
  relayState?: string | null;
}

export interface Keys {
  privateKey: KeyObject;
  certificate: string;
}

/** A form that the provider makes the browser post. */
export type PostedForm = Record<string, string>;

/** A provider that can lie. */
export interface TestSaml {
  config: SamlProvider;
  /** Visits the address that the browser was sent to. Returns what the browser posts to us. */
  visit(continueAt: string, responded?: Responded): PostedForm;
}

export const sha256 = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmlenc#sha256',
] as const;
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

export const xmlOf = ({ SAMLResponse: base64 }: PostedForm) => Buffer.from(base64!, 'base64').toString();
export const base64Of = (xml: string) => Buffer.from(xml).toString('base64');

let visits = 0;

export function testSaml(more: Partial<SamlProvider> = {}, { keys = newKeys() } = {}): TestSaml {
  const config: SamlProvider = {
    id: 'clinic',
    label: 'Grace Clinic',
    entityId: 'https://id.grace.test/saml',
    signOnUrl: 'https://id.grace.test/sso?tenant=7',
    certificates: [keys.certificate],
    domains: ['grace.test'],
    emailAttribute: 'mail',
    nameAttribute: 'displayName',
    ...more,
  };
  return {
    config,
    visit(continueAt, responded = {}) {
      const { searchParams } = new URL(continueAt);
      const relayState =
        responded.relayState === undefined ? searchParams.get('RelayState') : responded.relayState;
      const xml = responseTo(searchParams.get('SAMLRequest')!, { keys, ...responded });
      return { SAMLResponse: base64Of(xml), ...(relayState === null ? {} : { RelayState: relayState }) };
    },
  };

  function responseTo(request: string, responded: Responded & { keys: Keys }): string {
    visits += 1;
    const { requestId, recipient, audience, format } = askedIn(request);
    const { nameId = `person-${visits}`, email = `person.${visits}@grace.test` } = responded;
    const now = responded.now ?? Temporal.Now.instant();
    const until = now.add({ minutes: 5 }).toString();
    const attributes = {
      ...(email === null || config.emailAttribute === undefined ? {} : { [config.emailAttribute]: email }),
      ...(config.nameAttribute === undefined ? {} : { [config.nameAttribute]: 'Ruth Amsel' }),
    };
    const listed = Object.entries(attributes).map(
      ([name, value]) =>
        `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
    );
    const unsigned = [
      `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_a${visits}" Version="2.0" IssueInstant="${now.toString()}">`,
      `<saml:Issuer>${config.entityId}</saml:Issuer>`,
      `<saml:Subject><saml:NameID Format="${format}">${nameId}</saml:NameID>`,
      `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">`,
      `<saml:SubjectConfirmationData InResponseTo="${requestId}" Recipient="${recipient}" NotOnOrAfter="${until}"/>`,
      `</saml:SubjectConfirmation></saml:Subject>`,
      `<saml:Conditions NotBefore="${now.toString()}" NotOnOrAfter="${until}">`,
      `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`,
      `</saml:Conditions>`,
      `<saml:AuthnStatement AuthnInstant="${now.toString()}"/>`,
      listed.length > 0 ? `<saml:AttributeStatement>${listed.join('')}</saml:AttributeStatement>` : '',
      `</saml:Assertion>`,
    ].join('');
    const { signed = ['assertion'], assertion: changed = unchanged, response = unchanged } = responded;
    const assertion = changed(unsigned);
    const whole = response(
      [
        `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r${visits}" Version="2.0" IssueInstant="${now.toString()}" Destination="${recipient}" InResponseTo="${requestId}">`,
        `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${config.entityId}</saml:Issuer>`,
        `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>`,
        signed.includes('assertion') ? signedXml(assertion, 'Assertion', responded) : assertion,
        `</samlp:Response>`,
      ].join(''),
    );
    const sent = signed.includes('response') ? signedXml(whole, 'Response', responded) : whole;
    return (responded.tampered ?? unchanged)(sent);
  }
}

function askedIn(request: string) {
  const xml = inflateRawSync(Buffer.from(request, 'base64')).toString();
  const part = (pattern: RegExp) => pattern.exec(xml)![1]!;
  return {
    requestId: part(/ ID="([^"]+)"/),
    recipient: part(/AssertionConsumerServiceURL="([^"]+)"/),
    audience: part(/<saml:Issuer [^>]*>([^<]+)</),
    format: part(/Format="([^"]+)"/),
  };
}

/** A provider on this machine. Signing in as `name` gives the address `name`@grace.test. */
export async function openSamlPages(): Promise<{ config: SamlProvider; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const asked = new URL(request.url!, origin);
    const name = asked.searchParams.get('name');
    const hidden = (pairs: [string, string][]) =>
      pairs.map(([key, value]) => `<input type="hidden" name="${key}" value="${value}">`).join('');
    response.setHeader('content-type', 'text/html');
    if (name === null) {
      response.end(
        `<form>${hidden([...asked.searchParams])}<label>Name <input name="name"></label><button>Sign in</button></form>`,
      );
      return;
    }
    const { recipient } = askedIn(asked.searchParams.get('SAMLRequest')!);
    const form = provider.visit(asked.href, { nameId: name, email: `${name}@grace.test` });
    response.end(
      `<form method="post" action="${recipient}">${hidden(Object.entries(form))}<button>Continue</button></form>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = testSaml({ entityId: origin, signOnUrl: `${origin}/sso` });
  return {
    config: provider.config,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const unchanged = (xml: string) => xml;

/** Signs one element, with the signature after its issuer. */
export function signedXml(
  xml: string,
  element: 'Assertion' | 'Response',
  { keys, algorithms = sha256 }: { keys: Keys; algorithms?: readonly [string, string] },
): string {
  const [signatureAlgorithm, digestAlgorithm] = algorithms;
  const { privateKey, certificate } = keys;
  const signature = new SignedXml({
    privateKey,
    publicCert: certificate,
    signatureAlgorithm,
    canonicalizationAlgorithm: exclusive,
  });
  const xpath = `/*[local-name()='${element}']`;
  signature.addReference({ xpath, transforms: [enveloped, exclusive], digestAlgorithm });
  const location = { reference: `${xpath}/*[local-name()='Issuer']`, action: 'after' as const };
  signature.computeSignature(xml, { prefix: 'ds', location });
  return signature.getSignedXml();
}

/** A key and a certificate that it signed itself, as providers use. */
export function newKeys(modulusLength = 2048): Keys {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  // 1.2.840.113549.1.1.11, SHA-256 with RSA.
  const algorithm = der(0x30, Buffer.from('06092a864886f70d01010b0500', 'hex'));
  const commonName = der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('id.grace.test')));
  const name = der(0x30, der(0x31, commonName));
  const years = ['250101000000Z', '490101000000Z'].map((at) => der(0x17, Buffer.from(at)));
  const serial = der(0x02, Buffer.from([1, ...randomBytes(8)]));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const body = der(0x30, version, serial, algorithm, name, der(0x30, ...years), name, spki);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const lines = der(0x30, body, algorithm, signature)
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n');
  return { privateKey, certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
