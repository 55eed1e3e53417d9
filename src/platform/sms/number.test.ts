import { expect, test } from 'vitest';
import { textableNumber } from './number.ts';

const read = (typed: string, countries = ['US', 'CA']) => textableNumber(typed, countries);

test.each([
  '(212) 555-0123',
  '212.555.0123',
  '212 555 0123',
  '1-212-555-0123',
  '+1 212 555 0123',
  '12125550123',
])('reads %s as people write it in the US', async (typed) => {
  expect(await read(typed)).toEqual({ number: '+12125550123' });
});

test('reads others with their country, if it’s listed', async () => {
  expect(await read('+1 416 555 0123')).toEqual({ number: '+14165550123' });
  expect(await read('+44 7911 123456')).toEqual({ fault: 'country' });
  expect(await read('07400 123456', ['GB'])).toEqual({ number: '+447400123456' });
  expect(await read('+1 212 555 0123', ['GB'])).toEqual({ fault: 'country' });
});

test.each([
  // Jamaica and the Dominican Republic, which share +1.
  ['876 555 1234', 'country'],
  ['+1 809 555 1234', 'country'],
  ['+882 123 456 789', 'country'],
  ['900 555 1234', 'not_mobile'],
  ['+1 800 555 1234', 'not_mobile'],
  ['911', 'bad_format'],
  ['555-0123', 'bad_format'],
  ['212 555 0123 ext. 5', 'bad_format'],
  ['call 212 555 0123', 'bad_format'],
  ['212 555 01234567890', 'bad_format'],
  ['ruth@amsel.example', 'bad_format'],
])('refuses %s: %s', async (typed, fault) => {
  expect(await read(typed)).toEqual({ fault });
});

test('refuses premium rates and landlines elsewhere', async () => {
  expect(await read('+44 909 879 0000', ['GB'])).toEqual({ fault: 'not_mobile' });
  expect(await read('020 7946 0000', ['GB'])).toEqual({ fault: 'not_mobile' });
  expect(await read('08 99 12 34 56', ['FR'])).toEqual({ fault: 'not_mobile' });
  expect(await read('01 42 68 53 00', ['FR'])).toEqual({ fault: 'not_mobile' });
  expect(await read('06 12 34 56 78', ['FR'])).toEqual({ number: '+33612345678' });
});

test('reads area codes that are newer than the list of countries', async () => {
  expect(await read('+1 555 123 4567')).toEqual({ number: '+15551234567' });
});
