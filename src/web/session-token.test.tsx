import { beforeEach, expect, test, vi } from 'vitest';
import { answer, askedFor } from '../../tests/components/answers.ts';
import { api } from './api.tsx';
import { sendWithToken } from './session-token.ts';

const freshUntil = '2026-03-02T12:05:00.000Z';
const lock = 'italk.session-token';

/** Requests that wait for `finish`. */
function held<T>(value: T) {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { answer: () => promise, finish: () => resolve(value) };
}

/** Resolves once a confirmation waits for its turn. */
const waits = async () => {
  await expect
    .poll(async () => (await navigator.locks.query()).pending?.map(({ mode }) => mode))
    .toContain('exclusive');
};

beforeEach(() => {
  vi.restoreAllMocks();
  // The real ones, which the setup hides.
  Reflect.deleteProperty(navigator, 'locks');
});

test('confirming waits for requests under way, and later ones wait for it', async () => {
  const [before, confirming] = [held(null), held({ freshUntil })];
  answer({
    'accounts.me': before.answer,
    'reauthentication.confirm': confirming.answer,
    'settings.site': {},
  });
  const me = api.accounts.me.call();
  await expect.poll(() => askedFor('accounts.me')).toHaveLength(1);
  const confirmed = api.reauthentication.confirm.call({ password: 'a-quiet-room-42' });
  await waits();
  expect(askedFor('reauthentication.confirm')).toEqual([]);
  const later = api.settings.site.call();
  before.finish();
  expect(await me).toBeNull();
  await expect.poll(() => askedFor('reauthentication.confirm')).toHaveLength(1);
  expect(askedFor('settings.site')).toEqual([]);
  confirming.finish();
  expect(await confirmed).toEqual({ freshUntil });
  await later;
});

test('confirming waits for another tab’s requests', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const elsewhere = navigator.locks.request(lock, { mode: 'shared' }, () => {
    begin();
    return promise;
  });
  await begun;
  const send = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const confirmed = sendWithToken(send, true);
  await waits();
  expect(send).not.toHaveBeenCalled();
  resolve();
  await Promise.all([elsewhere, confirmed]);
  expect(send).toHaveBeenCalledOnce();
});

test('a request that the network holds up holds up no other for long', async () => {
  const [stuck, wait] = [held(null), new AbortController()];
  const first = sendWithToken(stuck.answer);
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(wait.signal);
  const confirmed = sendWithToken(() => Promise.resolve('confirmed'), true);
  await waits();
  const later = sendWithToken(() => Promise.resolve('later'));
  wait.abort();
  expect(await Promise.all([confirmed, later])).toEqual(['confirmed', 'later']);
  stuck.finish();
  await first;
});

test('a failed request fails as before', async () => {
  await expect(sendWithToken(() => Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow(
    'Failed',
  );
});
