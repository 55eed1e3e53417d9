import { expect, test } from 'vitest';
import { rowsUnder, sectionOf } from '../../../../tests/support/documents.ts';
import { identityInputs } from './contract.ts';

const page = 'docs/safeguards.md';

test('has the documented ways to sign in, and no others', () => {
  const listed = {
    '/sign-in/email': 'password, then app code, backup code or passkey where set up or required',
    '/sign-in/code': 'code by email or text, then the same second step',
    '/sign-in/passkey': 'passkey with fingerprint, face or PIN',
    '/sign-in/link': 'emailed link, only for clients’ accounts without a password',
    '/verify-email': 'emailed link that confirms a sign-up, in the browser that signed up',
    '/reset-password': 'emailed link that sets a password, then the same second step',
  };
  const described = {
    '/sign-in/provider': 'OpenID Connect and SAML providers',
    '/sign-in/wallet': 'wallets',
  };
  const ways = [...Object.keys(listed), ...Object.keys(described)];
  const paths = Object.keys(identityInputs).filter((path) => path.startsWith('/sign-in/') || path in listed);
  expect(paths.toSorted()).toEqual(ways.toSorted());
  const rows = rowsUnder(page, 'Ways to sign in').map(([way]) => way!.replaceAll("'", '’'));
  expect(rows.toSorted()).toEqual(Object.values(listed).toSorted());
  for (const way of Object.values(described)) expect(sectionOf(page, 'Ways to sign in')).toContain(way);
});
