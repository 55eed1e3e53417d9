import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { followSession, type Ending, type SessionClock } from './session-clock.ts';
import { onSessionEvent, type SessionEvent } from './session-events.ts';

const calm = { secondsLeft: 1_800, warningSeconds: 120, extendable: true };

let clock: SessionClock;
let seen: DocumentVisibilityState;
beforeEach(() => {
  vi.useFakeTimers();
  seen = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => seen);
});
afterEach(() => {
  clock.stop();
  vi.restoreAllMocks();
});

/** Answers `session`, or `extended` once its use was recorded; counts both. */
function serve(first: object | null) {
  const server = { session: first, extended: null as object | null, looks: 0, uses: 0 };
  vi.spyOn(window, 'fetch').mockImplementation(async (_, init) => {
    const idle = new Headers(init?.headers).has('x-idle');
    if (idle) server.looks += 1;
    else server.uses += 1;
    if (!idle && server.extended) server.session = server.extended;
    // It would take time outside the clock.
    return { ok: true, json: async () => server.session } as Response;
  });
  return server;
}

function follow() {
  const on = {
    ending: vi.fn<(ending: Ending | null) => void>(),
    ended: vi.fn<(early: boolean) => void>(),
    lost: vi.fn<() => void>(),
  };
  clock = followSession(on);
  return on;
}

const touch = () => window.dispatchEvent(new Event('pointermove'));
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);
const beIdle = () => pass(61);

function otherTab() {
  const channel = new BroadcastChannel('session-look');
  // Opened after the clock's, so it hears each message after it.
  const witness = new BroadcastChannel('session-look');
  const told: unknown[] = [];
  let [said, received] = [0, 0];
  let look = () => {};
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      look = () => isSo() && resolve();
      look();
    });
  channel.addEventListener('message', ({ data }) => {
    told.push(data);
    look();
  });
  witness.addEventListener('message', () => {
    received += 1;
    look();
  });
  onTestFinished(() => {
    channel.close();
    witness.close();
  });
  const say = async (session: object | null) => {
    said += 1;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel of our own origin, not a window
    channel.postMessage(session);
    await until(() => received === said + told.length);
  };
  const isTold = (times: number) => until(() => told.length === times);
  return { told, say, isTold };
}

function events(): SessionEvent[] {
  const emitted: SessionEvent[] = [];
  onTestFinished(onSessionEvent((event) => emitted.push(event)));
  return emitted;
}

test('reports a session whose end has passed without a network, and none before', async () => {
  const session = { secondsLeft: 300, warningSeconds: 60, extendable: true };
  const asked = vi.spyOn(window, 'fetch').mockImplementation(async () => Response.json(session));
  const { lost } = follow();
  await clock.extend();
  asked.mockRejectedValue(new TypeError('no network'));
  await clock.extend();
  expect(lost).not.toHaveBeenCalled();
  vi.setSystemTime(Date.now() + 301_000);
  await clock.extend();
  expect(lost).toHaveBeenCalledOnce();
});

test('a visible tab looks every 30 seconds, without extending the session', async () => {
  const server = serve(calm);
  follow();
  await clock.look();
  await pass(29.9);
  expect(server.looks).toBe(1);
  await pass(0.2);
  expect(server.looks).toBe(2);
  await pass(30);
  expect(server).toMatchObject({ looks: 3, uses: 0 });
});

test('a hidden tab doesn’t look until it is seen, or the session’s end has passed', async () => {
  const server = serve({ ...calm, secondsLeft: 300 });
  const { ended } = follow();
  await clock.look();
  seen = 'hidden';
  await pass(299);
  expect(server.looks).toBe(1);
  server.session = null;
  await pass(3);
  expect(server.looks).toBe(2);
  expect(ended).toHaveBeenCalledExactlyOnceWith(false);
});

test('tries a failed look again every 10 seconds, but not in a hidden tab that knows the end', async () => {
  const asked = vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('no network'));
  follow();
  seen = 'hidden';
  await clock.look();
  await pass(20);
  expect(asked).toHaveBeenCalledTimes(3);
  const server = serve(calm);
  await pass(10);
  seen = 'visible';
  asked.mockClear().mockRejectedValue(new TypeError('no network'));
  await pass(40);
  expect(asked).toHaveBeenCalledTimes(2);
  seen = 'hidden';
  await pass(120);
  expect(asked).toHaveBeenCalledTimes(2);
  expect(server.looks).toBe(1);
});

test('a hidden tab looks once it is seen', async () => {
  const server = serve(calm);
  follow();
  await clock.look();
  seen = 'hidden';
  await pass(120);
  expect(server.looks).toBe(1);
  seen = 'visible';
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(1);
  expect(server.looks).toBe(2);
});

test('one tab’s look answers all: the others are told, and don’t look', async () => {
  const server = serve(calm);
  const { ended } = follow();
  await clock.look();
  const { told, say, isTold } = otherTab();
  await pass(30);
  await isTold(1);
  expect(told).toEqual([calm]);
  for (let turn = 0; turn < 4; turn += 1) {
    await say(calm);
    await pass(31);
  }
  expect(server.looks).toBe(2);
  await say(null);
  expect(ended).toHaveBeenCalledOnce();
  expect(server.looks).toBe(2);
});

test.each([
  [90, 1],
  [91, 0],
])('with %i seconds left, a look in a used tab records its use %i times', async (secondsLeft, uses) => {
  const server = serve({ ...calm, secondsLeft });
  server.extended = calm;
  const { ending } = follow();
  await pass(20);
  touch();
  await clock.look();
  await pass(0.1);
  expect(server).toMatchObject({ looks: 1, uses });
  expect(ending.mock.calls.some(([one]) => one === null)).toBe(uses === 1);
});

test('with 90 seconds left, a look in an idle tab warns and records nothing', async () => {
  const server = serve({ ...calm, secondsLeft: 90 });
  const { ending } = follow();
  touch();
  await beIdle();
  await clock.look();
  expect(ending).toHaveBeenLastCalledWith(expect.objectContaining({ extendable: true }));
  await pass(30);
  expect(server).toMatchObject({ looks: 2, uses: 0 });
});

test('a person who returns to the warning is never signed out', async () => {
  const server = serve({ ...calm, secondsLeft: 20 });
  server.extended = calm;
  const { ending, ended } = follow();
  touch();
  await beIdle();
  await clock.look();
  await pass(15);
  touch();
  expect(server.uses).toBe(0);
  server.session = { ...calm, secondsLeft: 1 };
  await pass(4.9);
  expect(server.uses).toBe(1);
  expect(ended).not.toHaveBeenCalled();
  expect(ending).toHaveBeenLastCalledWith(null);
});

test('a used tab records its use when another tab’s look finds 90 seconds left', async () => {
  const server = serve(calm);
  const { ending } = follow();
  await clock.look();
  await pass(20);
  touch();
  const { told, say, isTold } = otherTab();
  await say({ ...calm, secondsLeft: 90 });
  await isTold(1);
  expect(told).toEqual([calm]);
  expect(server).toMatchObject({ looks: 1, uses: 1 });
  expect(ending).toHaveBeenLastCalledWith(null);
});

test('doesn’t ask again and again for a session that isn’t extended', async () => {
  const server = serve({ ...calm, secondsLeft: 90 });
  follow();
  await pass(20);
  touch();
  await clock.look();
  const { say } = otherTab();
  for (let turn = 0; turn < 5; turn += 1) await say({ ...calm, secondsLeft: 90 });
  expect(server.uses).toBe(1);
  server.session = { ...calm, secondsLeft: 90, extendable: false };
  await pass(30);
  touch();
  await pass(31);
  expect(server.uses).toBe(1);
});

test('emits TOKEN_REFRESHED once the session’s end has moved, here or in another tab, and only then', async () => {
  const server = serve(calm);
  follow();
  const emitted = events();
  await clock.look();
  server.session = { ...calm, secondsLeft: 1_770 };
  await pass(30);
  server.session = { ...calm, secondsLeft: 1_741 };
  await pass(30);
  expect(emitted).toEqual([]);
  server.session = calm;
  await clock.extend();
  await clock.extend();
  expect(emitted).toEqual(['TOKEN_REFRESHED']);
  await pass(20);
  const { say } = otherTab();
  await say({ ...calm, secondsLeft: 1_780 });
  expect(emitted).toEqual(['TOKEN_REFRESHED']);
  await say(calm);
  await say(calm);
  expect(emitted).toEqual(['TOKEN_REFRESHED', 'TOKEN_REFRESHED']);
});

test('tells a session that ended at its time from one that was ended', async () => {
  const server = serve(calm);
  const { ended } = follow();
  await clock.look();
  server.session = null;
  await pass(30);
  expect(ended).toHaveBeenCalledExactlyOnceWith(true);
});
