import { expect, it } from 'vitest';
import { doorFor, maskedAddress } from './rules.ts';

const chief = 'chief@italk.test';

it('opens only with both a configured address and the role', () => {
  expect(doorFor(null, [chief])).toBe('guest');
  expect(doorFor({ email: 'other@italk.test', role: 'super_admin' }, [chief])).toBe('denied');
  expect(doorFor({ email: 'other@italk.test', role: 'client' }, [chief])).toBe('denied');
  for (const role of ['client', 'doctor', 'pastor'] as const)
    expect(doorFor({ email: chief, role }, [chief])).toBe('waiting');
  expect(doorFor({ email: chief, role: 'super_admin' }, [chief])).toBe('open');
});

it('masks an address after its first two characters', () => {
  expect(maskedAddress(chief)).toBe('ch***');
  expect(maskedAddress('a@b.c')).toBe('a@***');
  expect(maskedAddress('💛x@b.c')).toBe('💛x***');
});
