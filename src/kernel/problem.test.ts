import { expect, it } from 'vitest';
import { AppError, type ErrorCode } from './errors.ts';
import { problemOf, refusalOf } from './problem.ts';

const codes: ErrorCode[] = [
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'invalid',
  'precondition',
  'rate_limited',
];

it('round-trips every code with its reason, fields and data', () => {
  for (const code of codes) {
    const error = new AppError(code, 'some_reason', {
      fields: [{ field: 'a.b', reason: 'required' }],
      data: { next: ['x'] },
    });
    const problem = problemOf(error, 'request-1');
    expect(problem.status).toBeGreaterThanOrEqual(400);
    expect(problem.status).toBeLessThan(500);
    expect(refusalOf(JSON.parse(JSON.stringify(problem)))).toEqual(error);
  }
});

it('reveals only the request id of an unexpected error', () => {
  const problem = problemOf(new Error('insert into "journal" … secret'), 'request-2');
  expect(problem).toMatchObject({ status: 500, code: 'unexpected', requestId: 'request-2' });
  expect(JSON.stringify(problem)).not.toContain('secret');
  expect(refusalOf(problem)).toBeNull();
});

it('doesn’t read other bodies as refusals', () => {
  for (const body of [
    null,
    'text',
    7,
    {},
    { code: 'toString', reason: 'x' },
    { code: 'no_such', reason: 'x' },
  ]) {
    expect(refusalOf(body)).toBeNull();
  }
});
