import { expect, test } from 'vitest';
import { rowsUnder } from '../../tests/support/documents.ts';
import { redirectConsole, openLog } from './log.ts';

function logged() {
  const lines: string[] = [];
  return { lines, log: openLog('debug', { write: (line: string) => void lines.push(line) }) };
}

const secret = 'kVtT9w-secret_token';

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

test.each([
  ['a path', new Error(`No route matches URL "/invitation/${secret}%zz"`)],
  ['a path without quotes', new URIError(`URI malformed: /booking/${secret}%`)],
  ['a query', new Error(`cannot read token=${secret}`)],
  ['an address on the web', new Error(`fetch failed: https://italk.test/verify?token=${secret}`)],
  ['a person’s words', parseError(`${secret} wrote this`)],
  ['a mailbox', new Error(`550 no such user ${secret}@example.com`)],
  ['several lines', new Error(`first\nthen "${secret}\n${secret}"`)],
])('omits %s from logged errors', (_, error) => {
  const { lines, log } = logged();
  log.error({ err: error }, 'a request failed');
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain(secret);
  expect(lines[0]).toContain('log.test.ts');
});

test('writes lines as the guide’s inventory of logs says: JSON, with times in UTC milliseconds', () => {
  const { lines, log } = logged();
  log.info({ requestId: 'r1' }, 'an event');
  const { time, ...rest } = JSON.parse(lines[0]!) as { time: number };
  expect(Math.abs(time - Temporal.Now.instant().epochMilliseconds)).toBeLessThan(60_000);
  expect(rest).toMatchObject({ requestId: 'r1', msg: 'an event' });
  const [, holds] = rowsUnder('docs/operating.md', 'Logs').find(([what]) => what === 'program log')!;
  expect(holds).toContain('JSON, times as UTC milliseconds');
});

test('keeps an error’s code and plain words', () => {
  const { lines, log } = logged();
  const error = Object.assign(new Error(`connect ECONNREFUSED, it wasn't there`), { code: 'ECONNREFUSED' });
  log.error({ err: error });
  expect(JSON.parse(lines[0]!)).toMatchObject({
    err: { message: `ECONNREFUSED: connect ECONNREFUSED, it wasn't there` },
  });
});

test('logs library output without the values in it', () => {
  const { lines, log } = logged();
  const giveBack = redirectConsole(log);
  try {
    /* oxlint-disable no-console -- as a library would */
    console.warn(`The URL path "/calendar/${secret}%zz.ics" could not be decoded because it is malformed.`);
    console.error(new Error(`broken: /files/${secret}`), { body: secret });
    /* oxlint-enable no-console */
  } finally {
    giveBack();
  }
  expect(lines.map((line) => (JSON.parse(line) as { printed?: string }).printed)).toEqual([
    'The URL path … could not be decoded because it is malformed.',
    undefined,
  ]);
  expect(lines.join('')).not.toContain(secret);
});
