import { expect, test } from 'vitest';
import { openIdProvidersOf } from './openid-providers.ts';

const google = {
  id: 'google',
  label: 'Google',
  issuer: 'https://accounts.google.com',
  clientId: 'italk',
  clientSecret: 'never-in-an-error',
};
const read = (list: unknown, loopback = false) =>
  openIdProvidersOf(typeof list === 'string' ? list : JSON.stringify(list), { loopback });

test('reads any number of providers, and none by default', () => {
  expect(openIdProvidersOf(undefined, { loopback: false })).toEqual([]);
  expect(read(' ')).toEqual([]);
  const church = {
    ...google,
    id: 'grace',
    issuer: 'https://id.grace.example',
    domains: ['Grace.Example'],
    programClientIds: ['app'],
  };
  expect(read([google, church])).toEqual([
    { ...google, domains: [], programClientIds: [] },
    { ...church, domains: ['grace.example'], programClientIds: ['app'] },
  ]);
});

test.each([
  ['no JSON', '{', 'isn’t JSON'],
  ['no list', google, 'OIDC_PROVIDERS can’t be used'],
  ['an id that isn’t part of an address', [{ ...google, id: '../x' }], 'provider 1, id'],
  ['the id of wallets', [{ ...google, id: 'web3' }], 'web3 means wallets'],
  ['no secret', [{ ...google, clientSecret: '' }], 'provider 1, clientSecret'],
  ['a wrong name', [{ ...google, secret: 'never-in-an-error' }], 'provider 1'],
  ['no client id of a program', [{ ...google, programClientIds: [''] }], 'programClientIds'],
  ['a domain that is an address', [{ ...google, domains: ['a@b.example'] }], 'domains'],
  ['no https', [{ ...google, issuer: 'http://id.example' }], 'without https: google'],
  ['no https on this machine', [{ ...google, issuer: 'http://127.0.0.1:4000' }], 'without https: google'],
  ['the same id twice', [google, { ...google, issuer: 'https://b.example' }], 'the same id'],
  ['the same issuer twice', [google, { ...google, id: 'b' }], 'the same issuer'],
])('is refused with %s, without repeating a secret', (_, list, sentence) => {
  const reading = () => read(list);
  expect(reading).toThrow(sentence);
  expect(reading).not.toThrow('never-in-an-error');
});

test('allows a demo’s provider without TLS only on this machine', () => {
  expect(read([{ ...google, issuer: 'http://127.0.0.1:4000' }], true)).toHaveLength(1);
  expect(() => read([{ ...google, issuer: 'http://id.example' }], true)).toThrow('without https');
});
