import { expect, test } from 'vitest';
import { smsOf } from './sms-config.ts';

const read = (
  SMS_URL: string | undefined,
  {
    loopback = false,
    ...more
  }: { loopback?: boolean; SMS_COUNTRIES?: string; SMS_DAILY_LIMIT?: string } = {},
) => smsOf({ SMS_URL, ...more }, { loopback });

test('is off without SMS_URL', () => {
  expect(read(undefined)).toBeNull();
  expect(read('')).toBeNull();
  expect(read(undefined, { loopback: true })).toBeNull();
});

test('reads the provider’s address, account and number', () => {
  expect(read('https://AC1:a%2Fb@api.twilio.com?from=%2B15551234567')).toEqual({
    base: 'https://api.twilio.com',
    sid: 'AC1',
    token: 'a/b',
    from: '+15551234567',
    countries: ['US', 'CA'],
    perDay: 500,
  });
  const more = { SMS_COUNTRIES: 'GB, IE', SMS_DAILY_LIMIT: '20' };
  expect(read('https://AC1:t@texts.example/twilio/?from=Grace', more)).toMatchObject({
    base: 'https://texts.example/twilio',
    from: 'Grace',
    countries: ['GB', 'IE'],
    perDay: 20,
  });
});

test.each([
  'api.twilio.com',
  'https://api.twilio.com?from=%2B15551234567',
  'https://AC1@api.twilio.com?from=%2B15551234567',
  'https://:a-secret@api.twilio.com?from=%2B15551234567',
  'http://AC1:a-secret@api.twilio.com?from=%2B15551234567',
  'http://AC1:a-secret@127.0.0.1:4000?from=%2B15551234567',
  'ftp://AC1:a-secret@api.twilio.com?from=%2B15551234567',
  'https://AC1:a-secret@api.twilio.com',
  'https://AC1:a-secret@api.twilio.com?from=+15551234567',
  'https://AC1:a-secret@api.twilio.com?from=%2B15551234567&to=%2B15551234568',
  'https://AC1:a-secret@api.twilio.com?from=%2B15551234567#there',
  'https://AC1:a-secret%@api.twilio.com?from=%2B15551234567',
])('refuses %s in words without the secret', (url) => {
  let words = '';
  try {
    read(url);
  } catch (error) {
    words = (error as Error).message;
  }
  expect(words).toMatch(/SMS_URL/);
  expect(words).not.toMatch(/a-secret|AC1/);
});

test('allows a demo’s provider without TLS only on this machine', () => {
  const loopback = true;
  expect(read('http://AC1:t@127.0.0.1:4000?from=%2B15551234567', { loopback })?.base).toBe(
    'http://127.0.0.1:4000',
  );
  expect(() => read('http://AC1:t@texts.example?from=%2B15551234567', { loopback })).toThrow('https');
});

test.each(['us', 'USA', 'US,', 'US;CA', 'XX'])('refuses the countries %s', (SMS_COUNTRIES) => {
  expect(() => read('https://AC1:t@texts.example?from=Grace', { SMS_COUNTRIES })).toThrow(
    'SMS_COUNTRIES has',
  );
});

test.each(['0', '-1', '1.5', 'many'])('refuses the daily limit %s', (SMS_DAILY_LIMIT) => {
  expect(() => read('https://AC1:t@texts.example?from=Grace', { SMS_DAILY_LIMIT })).toThrow(
    'SMS_DAILY_LIMIT is',
  );
});
