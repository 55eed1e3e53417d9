import { expect, it } from 'vitest';
import { networkOf, trustedAddress } from './address.ts';

it('trusts only as many proxies as configured', () => {
  expect(trustedAddress('10.0.0.1', '203.0.113.9', 0)).toBe('10.0.0.1');
  expect(trustedAddress('10.0.0.1', 'forged, 203.0.113.9', 1)).toBe('203.0.113.9');
  expect(trustedAddress('10.0.0.1', 'forged, 203.0.113.9, 10.0.0.2', 2)).toBe('203.0.113.9');
  expect(trustedAddress('10.0.0.1', null, 2)).toBe('10.0.0.1');
  expect(trustedAddress('10.0.0.1', '203.0.113.9', 3)).toBe('10.0.0.1');
});

it('treats an IPv6 /64 network as one, in any notation', () => {
  expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
  expect(networkOf('::ffff:203.0.113.9')).toBe('203.0.113.9');
  const network = '2001:db8:0:1::/64';
  for (const one of [
    '2001:db8:0:1::1',
    '2001:0DB8:0000:0001:ffff:0:0:9',
    '2001:db8:0:1:a:b:c:d',
    '2001:db8::1:0:0:0:5%eth0',
  ]) {
    expect(networkOf(one)).toBe(network);
  }
  expect(networkOf('2001:db8:0:2::1')).not.toBe(network);
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
});
