import { afterEach, assert, beforeEach, vi } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup } from 'vitest-browser-react';
import '#/web/fonts.css';
import '#/web/theme.css';
import { forgetAnswers, quiet } from './answers.ts';
import { desktop } from './fair.ts';
import { closeSockets } from './socket.ts';

const noise: string[] = [];
let expected: RegExp[] = [];

/** Lets the page complain about something that a test brings about on purpose. */
export function expectNoise(about: RegExp): void {
  expected.push(about);
}

const realError = console.error.bind(console);
console.error = (...parts: unknown[]) => {
  noise.push(parts.map(String).join(' '));
  if (!expected.some((about) => about.test(noise.at(-1)!))) realError(...parts);
};
window.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  noise.push(`Refused by the policy: ${violatedDirective} ${blockedURI}`),
);
// The tests' pages keep nothing on the device; journeys prove that.
navigator.serviceWorker.register = () => Promise.resolve({} as ServiceWorkerRegistration);

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  // A client's page would ask for their sessions a while after it came, maybe in the next test.
  localStorage.setItem('italk.keep', 'off');
  await page.viewport(desktop.width, desktop.height);
});

afterEach(async () => {
  await cleanup();
  vi.useRealTimers();
  closeSockets();
  await quiet();
  const unexpected = noise.splice(0).filter((text) => !expected.some((about) => about.test(text)));
  expected = [];
  assert.deepEqual(forgetAnswers(), [], 'asked for, though no answer was set');
  assert.deepEqual(unexpected, [], 'the page complained');
});
