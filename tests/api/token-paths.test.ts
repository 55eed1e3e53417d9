import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { castOf, testServer } from '../support/server.ts';

const server = await testServer();
const { client } = await castOf(server);

/** Output written outside the logger. */
let printed: string[] = [];
beforeEach(() => {
  printed = [];
  server.log.length = 0;
  const print = (...said: unknown[]) => void printed.push(said.map(String).join(' '));
  for (const method of ['error', 'warn', 'info', 'log', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation(print);
});
afterEach(() => void vi.restoreAllMocks());

const token = 'kVtT9wSecretTokenOfSomebody';
/** Every path containing a token or secret id. */
const paths = [
  `/calendar/${token}.ics`,
  `/files/${token}/photo.webp`,
  `/api/conversations/attachments/${token}`,
  `/api/application/documents/${token}`,
  `/api/mail-tray/${token}`,
  `/invitation/${token}`,
  `/booking/${token}`,
  `/verify/${token}`,
  `/reset-password/${token}`,
  `/unsubscribe/${token}`,
  `/api/auth/reset-password/${token}`,
  `/api/auth/verify-email/${token}`,
  `/session/${token}`,
];

/** Malformed escapes, tried at the end and in the middle. */
const broken = ['%', '%zz', '%ff', '%c3%28', '%E0%A4%A'];

test.each(paths)('rejects malformed %s and logs no part of it', async (path) => {
  for (const visitor of [server.guest, client])
    for (const wrong of broken)
      for (const asked of [
        `${path}${wrong}`,
        path.replace(token, `${token}${wrong}x`),
        `${path}${wrong}.data`,
      ]) {
        const answer = await visitor.send('GET', asked);
        const { status, headers } = answer;
        expect([`303 /not-found`, '400 ', '404 '], asked).toContain(
          `${status} ${String(headers['location'] ?? '')}`,
        );
        expect(answer.text).not.toContain(token);
      }
  expect([...server.log, ...printed].join('\n')).not.toContain(token);
  expect(printed).toEqual([]);
});
