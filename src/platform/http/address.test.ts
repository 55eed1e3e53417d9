import { expect, it } from 'vitest';
import { trustedAddress } from './address.ts';

it('believes only the proxies that are ours', () => {
  expect(trustedAddress('10.0.0.1', '203.0.113.9', 0)).toBe('10.0.0.1');
  expect(trustedAddress('10.0.0.1', 'forged, 203.0.113.9', 1)).toBe('203.0.113.9');
  expect(trustedAddress('10.0.0.1', 'forged, 203.0.113.9, 10.0.0.2', 2)).toBe('203.0.113.9');
  expect(trustedAddress('10.0.0.1', null, 2)).toBe('10.0.0.1');
  expect(trustedAddress('10.0.0.1', '203.0.113.9', 3)).toBe('10.0.0.1');
});
