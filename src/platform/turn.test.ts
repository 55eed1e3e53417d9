import { expect, test } from 'vitest';
import { turnCredential } from './turn.ts';

// Reference values: printf %s "$username" | openssl dgst -sha1 -hmac "$secret" -binary | base64
test.each([
  ['logen', '2015-06-10T00:25:18Z', 'ninefingers', '1433895918:ninefingers', 'HY+Vd729N0UZ/xCzjg1F0GsoMK8='],
  [
    'a secret that is shared with coturn',
    '2026-03-02T14:00:00Z',
    '5d41402abc4b2a76b9719d91',
    '1772460000:5d41402abc4b2a76b9719d91',
    'Kjk52vee7UOR7oEl29XrNVYmn4c=',
  ],
  [
    'a secret that is shared with coturn',
    '2025-12-31T23:59:59.999Z',
    'a',
    '1767225599:a',
    'dJNj5XwtEjK6bVkKciAnW0zPdPo=',
  ],
])('matches credentials of a relay with the secret %s', (secret, until, name, username, credential) => {
  expect(turnCredential(secret, { until: Temporal.Instant.from(until), name })).toEqual({
    username,
    credential,
  });
});
