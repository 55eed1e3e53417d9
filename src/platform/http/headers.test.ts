import { expect, test } from 'vitest';
import { contentSecurityPolicy } from './headers.ts';

test('lets pages run only our scripts and those with the nonce, and evaluate nothing', () => {
  const policy = contentSecurityPolicy('n1');
  expect(policy.split('; ')).toContain("script-src 'self' 'nonce-n1'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});
