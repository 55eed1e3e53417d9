import type { ComponentType } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { useHydrated } from './hydrated.ts';
import { lazyPart } from './lazy-part.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('keeps the page while offline, and loads automatically once online', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  let tries = 0;
  const Part = lazyPart(() => {
    tries += 1;
    return navigator.onLine
      ? Promise.resolve(() => <p>Delete your account?</p>)
      : Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  });
  await render(
    <>
      <h1>Your data</h1>
      <Part />
    </>,
  );
  await expect.poll(() => tries).toBe(1);
  // Longer than its retries would last online.
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(tries).toBeGreaterThan(6);
  await expect.element(page.getByRole('heading', { name: 'Your data' })).toBeVisible();
  await expect.element(page.getByText('Delete your account?')).not.toBeInTheDocument();
  online.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  await expect.element(page.getByText('Delete your account?')).toBeVisible();
});

test('keeps a part that the server rendered while the page around it changes', async () => {
  const container = document.createElement('div');
  document.body.append(container);
  container.innerHTML = '<h1>Before</h1><!--$--><button type="button">Book</button><!--/$-->';
  const button = container.querySelector('button')!;
  const { promise: code, resolve: arrive } = Promise.withResolvers<ComponentType>();
  const Part = lazyPart(() => code);
  function Screen() {
    return (
      <>
        <h1>{useHydrated() ? 'After' : 'Before'}</h1>
        <Part />
      </>
    );
  }
  const root = hydrateRoot(container, <Screen />);
  await expect.element(page.getByRole('heading', { name: 'After' })).toBeVisible();
  const pressed = vi.fn<() => void>();
  arrive(() => (
    <button type="button" onClick={pressed}>
      Book
    </button>
  ));
  await expect
    .poll(() => {
      button.click();
      return pressed.mock.calls.length;
    })
    .toBeGreaterThan(0);
  expect(button.isConnected).toBe(true);
  root.unmount();
  container.remove();
});
