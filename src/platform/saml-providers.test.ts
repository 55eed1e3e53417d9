import { expect, test } from 'vitest';
import { newKeys } from '../../tests/support/saml.ts';
import { samlProvidersOf } from './saml-providers.ts';

const { certificate, privateKey } = newKeys();
const clinic = {
  id: 'clinic',
  label: 'Grace Clinic',
  entityId: 'https://id.grace.example/saml',
  signOnUrl: 'https://id.grace.example/sso?tenant=7',
  certificates: [certificate],
  domains: ['grace.example'],
};
const google = {
  id: 'google',
  label: 'Google',
  issuer: 'https://accounts.google.com',
  clientId: 'italk',
  clientSecret: 'x',
  domains: [],
  programClientIds: [],
};
const read = (list: unknown, loopback = false) =>
  samlProvidersOf(typeof list === 'string' ? list : JSON.stringify(list), {
    loopback,
    openIdProviders: [google],
  });

test('reads any number of providers, and none by default', () => {
  expect(samlProvidersOf(undefined, { loopback: false, openIdProviders: [] })).toEqual([]);
  expect(read(' ')).toEqual([]);
  const mission = {
    ...clinic,
    id: 'mission',
    entityId: 'urn:mission',
    certificates: [certificate, newKeys().certificate],
    domains: ['Mission.Example'],
    emailAttribute: 'mail',
    nameAttribute: 'displayName',
  };
  expect(read([clinic, mission])).toEqual([clinic, { ...mission, domains: ['mission.example'] }]);
});

test('takes certificates in one line, with or without what PEM has around them', () => {
  const spaced = certificate.replaceAll('\n', ' ');
  const bare = certificate.replaceAll(/-----[A-Z ]+-----|\n/g, '');
  for (const written of [certificate.trim(), spaced, bare])
    expect(read([{ ...clinic, certificates: [written] }])).toEqual([clinic]);
});

const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });

test.each<[string, unknown, string]>([
  ['no JSON', '{', 'isn’t JSON'],
  ['no list', clinic, 'SAML_PROVIDERS can’t be used'],
  ['an id that isn’t part of an address', [{ ...clinic, id: '../x' }], 'provider 1, id'],
  ['a wrong name', [{ ...clinic, certs: [] }], 'provider 1'],
  ['no domain', [{ ...clinic, domains: [] }], 'provider 1, domains'],
  ['no domains', [{ ...clinic, domains: undefined }], 'provider 1, domains'],
  ['a domain that is an address', [{ ...clinic, domains: ['a@b.example'] }], 'domains'],
  ['no certificate', [{ ...clinic, certificates: [] }], 'certificates'],
  ['three certificates', [{ ...clinic, certificates: Array(3).fill(certificate) }], 'list one, or two'],
  [
    'a private key',
    [{ ...clinic, certificates: [pem] }],
    'certificates, number 1, isn’t an X.509 certificate',
  ],
  [
    'a damaged certificate',
    [{ ...clinic, certificates: [certificate.slice(0, 200)] }],
    'isn’t an X.509 certificate',
  ],
  ['a short key', [{ ...clinic, certificates: [newKeys(1024).certificate] }], 'at least 2048 bits'],
  ['no https', [{ ...clinic, signOnUrl: 'http://id.example/sso' }], 'without https: clinic'],
  ['no https on this machine', [{ ...clinic, signOnUrl: 'http://127.0.0.1:4000' }], 'without https: clinic'],
  ['another protocol', [{ ...clinic, signOnUrl: 'javascript:alert(1)' }], 'signOnUrl'],
  ['the same id twice', [clinic, { ...clinic, entityId: 'x', domains: ['b.example'] }], 'the same id'],
  [
    'the same entity id twice',
    [clinic, { ...clinic, id: 'b', domains: ['b.example'] }],
    'the same entity id',
  ],
  ['a domain of two providers', [clinic, { ...clinic, id: 'b', entityId: 'x' }], 'the same domain'],
  ['an id from OIDC_PROVIDERS', [{ ...clinic, id: 'google' }], 'together has two providers with the same id'],
  ['an issuer from OIDC_PROVIDERS', [{ ...clinic, entityId: google.issuer }], 'the same entity id'],
])('is refused with %s, without repeating a key', (_, list, sentence) => {
  const reading = () => read(list);
  expect(reading).toThrow(sentence);
  for (const text of [certificate, pem]) expect(reading).not.toThrow(text.split('\n')[2]);
});

test('allows a demo’s provider without TLS only on this machine', () => {
  expect(read([{ ...clinic, signOnUrl: 'http://127.0.0.1:4000/sso' }], true)).toHaveLength(1);
  expect(() => read([{ ...clinic, signOnUrl: 'http://id.example' }], true)).toThrow('without https');
});
