import { describe, expect, test } from 'vitest';
import { isCanonical, readMessage } from './rules.ts';

const address = `0x${'a1'.repeat(20)}`;
const now = Temporal.Instant.from('2026-03-02T12:00:00Z');

/** As the published client writes it. */
const lines = {
  head: 'app.example wants you to sign in with your Ethereum account:',
  address,
  gap: '',
  statement: 'Welcome.\n',
  uri: 'URI: https://app.example/signed-in',
  version: 'Version: 1',
  chain: 'Chain ID: 1',
  nonce: 'Nonce: abcdef0123',
  issued: 'Issued At: 2026-03-02T11:59:00.000Z',
};

function read(changes: Partial<Record<keyof typeof lines | 'more', string | null>> = {}) {
  const message = Object.values({ ...lines, ...changes }).filter((line) => line !== null);
  return readMessage(message.join('\n'), { origins: ['https://app.example', 'http://localhost:5173'], now });
}

const accepted = { address, once: 'abcdef0123' };
const local = {
  head: 'localhost:5173 wants you to sign in with your Ethereum account:',
  uri: 'URI: http://localhost:5173',
};

describe('a program’s message', () => {
  test.each<[string, Parameters<typeof read>[0]]>([
    ['with a statement', {}],
    ['without one', { statement: '' }],
    ['with an end', { more: 'Expiration Time: 2026-03-02T12:00:01Z' }],
    ['with a beginning', { more: 'Not Before: 2026-03-02T13:00:00+01:00' }],
    ['with an id and resources', { more: 'Request ID: 7\nResources:\n- https://a.example/\n- ipfs://b' }],
    ['by a clock that is ahead', { issued: 'Issued At: 2026-03-02T12:00:29Z' }],
    ['almost too old', { issued: 'Issued At: 2026-03-02T11:50:00.001Z' }],
    ['of a bare origin', { uri: 'URI: https://app.example' }],
    ['of another site', local],
  ])('is read %s', (_, changes) => expect(read(changes)).toEqual(accepted));

  test('works once as a whole if it has no nonce', () => {
    const message = Object.values({ ...lines, nonce: null })
      .filter((line) => line !== null)
      .join('\n');
    expect(readMessage(message, { origins: ['https://app.example'], now })).toEqual({
      address,
      once: message,
    });
  });

  test.each<[string, Parameters<typeof read>[0]]>([
    ['of another domain', { head: lines.head.replace('app', 'evil') }],
    ['of another URI', { uri: 'URI: https://evil.example/' }],
    ['of both elsewhere', { head: lines.head.replace('app', 'evil'), uri: 'URI: https://evil.example/' }],
    ['of a domain that only begins alike', { uri: 'URI: https://app.example.evil.example/' }],
    ['of another port', { uri: 'URI: https://app.example:8443/' }],
    ['of a name before the domain', { uri: 'URI: https://app.example@evil.example/' }],
    ['of a name in both', { head: `me@${lines.head}`, uri: 'URI: https://me@app.example/' }],
    ['of another scheme', { uri: 'URI: http://app.example/' }],
    ['of TLS where there is none', { ...local, uri: 'URI: https://localhost:5173' }],
    ['of another chain', { chain: 'Chain ID: 137' }],
    ['of another version', { version: 'Version: 2' }],
    ['that is too old', { issued: 'Issued At: 2026-03-02T11:50:00Z' }],
    ['from the future', { issued: 'Issued At: 2026-03-02T12:00:31Z' }],
    ['without a time', { issued: null }],
    ['of no time', { issued: 'Issued At: 2026-13-40T12:00:00Z' }],
    ['of a time in words', { issued: 'Issued At: Mon, 02 Mar 2026 12:00:00 GMT' }],
    ['that has ended', { more: 'Expiration Time: 2026-03-02T12:00:00Z' }],
    ['that ends at no time', { more: 'Expiration Time: 2026-13-40T12:00:00Z' }],
    ['that hasn’t begun', { more: 'Not Before: 2026-03-02T12:00:01Z' }],
    ['with a short nonce', { nonce: 'Nonce: abc' }],
    ['with a strange nonce', { nonce: 'Nonce: abcdef-0123' }],
    ['with two nonces', { nonce: `${lines.nonce}\n${lines.nonce}` }],
    ['with fields in the statement', { statement: 'Hi\nURI: https://app.example/\n' }],
    ['with another address', { address: `${address}\n${address}` }],
    ['with a short address', { address: address.slice(0, -1) }],
    ['with something before', { head: `x\n${lines.head}` }],
    ['with something after', { more: 'And: more' }],
    ['with an empty line after', { more: '' }],
    ['of nothing', { head: null }],
  ])('is refused %s', (_, changes) => expect(read(changes)).toBeNull());

  test('is refused quickly, however long', () => {
    const { head } = lines;
    for (const message of [
      head.repeat(40),
      `${head}\n${address}\n\n${'- x\n'.repeat(500)}`,
      'x'.repeat(2_000),
    ])
      expect(readMessage(message, { origins: [], now })).toBeNull();
  });
});

test('only the smaller s is canonical, with a recovery id of 27 or 28', () => {
  const half = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0';
  const signature = (s: string, v: string) => `0x${'1'.repeat(64)}${s}${v}`;
  for (const v of ['1b', '1c', '1C']) expect(isCanonical(signature(half, v))).toBe(true);
  for (const v of ['00', '01', '1d', '25']) expect(isCanonical(signature(half, v))).toBe(false);
  expect(isCanonical(signature(half.replace(/0$/, '1'), '1b'))).toBe(false);
  expect(isCanonical(`${signature(half, '1b')}00`)).toBe(false);
});
