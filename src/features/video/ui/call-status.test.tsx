import { expect, test } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import type { CallEvent } from './call-events.ts';
import { usePhoneRequest } from './call-status.ts';

test('shows a request to continue by phone until it is dismissed, and then the next', async () => {
  const request = (name: string): CallEvent => ({ kind: 'phone', name });
  const naomi = request('Naomi');
  const { result, rerender, act } = await renderHook((event?: CallEvent) => usePhoneRequest(event ?? null), {
    initialProps: naomi,
  });
  const name = () => result.current[0];
  expect(name()).toBe('Naomi');
  await rerender({ kind: 'joined', name: 'Ruth' });
  expect(name()).toBe('Naomi');
  await act(() => result.current[1]());
  expect(name()).toBeNull();

  await rerender(naomi);
  expect(name()).toBeNull();
  await rerender(request('Naomi'));
  expect(name()).toBe('Naomi');
  await act(() => result.current[1]());
  expect(name()).toBeNull();
});
