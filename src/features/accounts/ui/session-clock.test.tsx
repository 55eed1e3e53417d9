import { afterEach, expect, test, vi } from 'vitest';
import { followSession, type SessionClock } from './session-clock.ts';

let clock: SessionClock;
afterEach(() => {
  clock.stop();
  vi.restoreAllMocks();
});

test('reports a session whose end has passed without a network, and none before', async () => {
  const session = { secondsLeft: 300, warningSeconds: 60, extendable: true };
  const asked = vi.spyOn(window, 'fetch').mockImplementation(async () => Response.json(session));
  const lost = vi.fn<() => void>();
  clock = followSession({ ending: () => undefined, ended: () => undefined, lost });
  await clock.extend();
  const now = Date.now();
  asked.mockRejectedValue(new TypeError('no network'));
  await clock.extend();
  expect(lost).not.toHaveBeenCalled();
  vi.spyOn(Date, 'now').mockReturnValue(now + 301_000);
  await clock.extend();
  expect(lost).toHaveBeenCalledOnce();
});
