import { expect, it } from 'vitest';
import { portalStateFor, maskedAddress } from './rules.ts';

const chief = 'chief@italk.test';

it('opens only with both a configured address and the role', () => {
  expect(portalStateFor(null, [chief])).toBe('guest');
  expect(portalStateFor({ email: 'other@italk.test', role: 'super_admin' }, [chief])).toBe('denied');
  expect(portalStateFor({ email: 'other@italk.test', role: 'client' }, [chief])).toBe('denied');
  for (const role of ['client', 'doctor', 'pastor'] as const)
    expect(portalStateFor({ email: chief, role }, [chief])).toBe('waiting');
  expect(portalStateFor({ email: chief, role: 'super_admin' }, [chief])).toBe('open');
});

it('masks an address after its first two characters', () => {
  expect(maskedAddress(chief)).toBe('ch***');
  expect(maskedAddress('a@b.c')).toBe('a@***');
  expect(maskedAddress('💛x@b.c')).toBe('💛x***');
});
