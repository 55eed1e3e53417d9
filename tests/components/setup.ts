import { afterEach, assert, beforeEach, vi } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import '#/web/fonts.css';
import '#/web/theme.css';
import { secondTry } from '#/web/failures.ts';
import { forgetAnswers, quiet } from './answers.ts';
import { desktop } from './fair.ts';
import { unexpectedNoise } from './noise.ts';
import { closeSockets } from './socket.ts';

secondTry.after = 0;

// Disables the service worker; e2e tests cover offline storage.
navigator.serviceWorker.register = () => Promise.resolve({} as ServiceWorkerRegistration);

// The routes' history is in memory; the browser's has what other tests left in it.
Object.defineProperty(window.navigation, 'canGoBack', { value: false });

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  // Turns off offline storage: client pages would fetch sessions later, possibly during the next test.
  localStorage.setItem('italk.keep', 'off');
  // Waiting for a lock would let requests leak into the next test.
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  await page.viewport(desktop.width, desktop.height);
});

afterEach(async () => {
  await cleanup();
  vi.useRealTimers();
  closeSockets();
  await quiet();
  const unexpected = unexpectedNoise();
  assert.deepEqual(forgetAnswers(), [], 'asked for, though no answer was set');
  assert.deepEqual(unexpected, [], 'the page complained');
});
