import { afterAll, beforeEach, expect, test } from 'vitest';
import { openTestSms } from '../../../tests/support/sms.ts';
import { openSms, SmsRefused } from './sms.ts';

const provider = await openTestSms();
afterAll(() => provider.close());
beforeEach(() => (provider.fails = null));

const number = '+12125550123';
const send = (config = provider.config) =>
  openSms(config).send({ to: number, body: '123456 is secret & new' });

test('sends a text', async () => {
  await send();
  expect(provider.sent).toEqual([{ to: number, from: '+15005550006', body: '123456 is secret & new' }]);
});

test.each([21211, 21408, 21610, 21614])('says that a number was refused: %i', async (code) => {
  provider.fails = { status: 400, body: JSON.stringify({ code, message: `${number} is bad` }) };
  const refused = await send().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SmsRefused);
  expect(String(refused)).not.toContain(number);
});

test.each([
  ['a failure', { status: 500, body: number }],
  ['a wrong account', { status: 401, body: '{"code":20003}' }],
  ['a wrong sender', { status: 400, body: '{"code":21606}' }],
  ['too many requests', { status: 429, body: '{"code":20429}' }],
  ['a redirect', { status: 307, body: '', headers: { location: '/elsewhere' } }],
  ['words that aren’t JSON', { status: 400, body: `<p>${number}` }],
  ['too long an answer', { status: 201, body: 'x'.repeat(65 * 1024) }],
])('is down by %s, without its number or code in the message', (_, fails) => expectDown(fails));

test('is down by a slow answer', { tags: ['long'] }, () =>
  expectDown({ status: 201, body: '', delay: 5_500 }),
);

async function expectDown(fails: typeof provider.fails): Promise<void> {
  provider.fails = fails;
  const thrown = await send().catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: 'unavailable', reason: 'texts_down' });
  const { message, cause } = thrown as Error;
  expect(cause).toBeUndefined();
  expect(message).toMatch(/^the SMS provider can’t be used: /);
  expect(message).not.toMatch(/2125550123|123456|kept-between|AC1/);
}

test('is down without a provider', async () => {
  const gone = await openTestSms();
  await gone.close();
  await expect(send(gone.config)).rejects.toMatchObject({ reason: 'texts_down' });
});
