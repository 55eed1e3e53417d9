import { describe, expect, test } from 'vitest';
import { closedReason, mayOpen, previewOf, type Pair } from './rules.ts';

describe('a message preview', () => {
  test('is one line of at most 140 characters, without splitting an emoji', () => {
    expect(previewOf('Thank you.\n\nSee you\ton Thursday.')).toBe('Thank you. See you on Thursday.');
    expect(previewOf('a'.repeat(141))).toBe('a'.repeat(140));
    expect(previewOf('🕊️'.repeat(100))).toBe('🕊️'.repeat(70));
    expect(previewOf('')).toBe('');
  });
});

const pair: Pair = {
  side: 'client',
  providerRole: 'doctor',
  otherErased: false,
  listed: true,
  served: false,
  offered: true,
};

describe('messaging permissions', () => {
  test('let a client open conversations only with listed specialists or ones they know', () => {
    expect(mayOpen(pair, 'client')).toBe(true);
    expect(mayOpen({ ...pair, listed: false, served: true }, 'client')).toBe(true);
    expect(mayOpen({ ...pair, listed: false }, 'client')).toBe(false);
    expect(mayOpen({ ...pair, providerRole: 'client' }, 'client')).toBe(false);
    expect(mayOpen({ ...pair, served: true, offered: false }, 'client')).toBe(false);
    expect(mayOpen({ ...pair, otherErased: true, served: true }, 'client')).toBe(false);
    expect(mayOpen({ ...pair, served: true }, 'super_admin')).toBe(false);
  });

  test('let a provider start only with clients they serve, and reply while a provider', () => {
    const provider: Pair = { ...pair, side: 'provider' };
    expect(mayOpen(provider, 'doctor')).toBe(false);
    expect(mayOpen({ ...provider, served: true }, 'doctor')).toBe(true);
    expect(closedReason(provider)).toBeNull();
    expect(closedReason({ ...provider, providerRole: 'client' })).toBe('not_served');
  });

  test('close a conversation with a deleted account, whatever else is true', () => {
    expect(closedReason({ ...pair, otherErased: true, served: true })).toBe('erased');
    expect(closedReason({ ...pair, otherErased: true, providerRole: 'client' })).toBe('erased');
    expect(closedReason({ ...pair, listed: false })).toBe('not_served');
  });
});
