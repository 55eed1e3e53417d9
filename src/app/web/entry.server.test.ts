import { RouterContextProvider } from 'react-router';
import { expect, it } from 'vitest';
import { handleError, pageRequest } from './entry.server.tsx';

it('logs errors thrown by pages, but not 404s', () => {
  const reported: unknown[] = [];
  const context = new RouterContextProvider();
  context.set(pageRequest, {
    api: {} as never,
    nonce: '',
    requestId: '',
    appUrl: '',
    demo: false,
    closed: null,
    report: (error) => void reported.push(error),
  });
  const request = new Request('http://italk.test/services');
  const missing = { status: 404, statusText: 'Not Found', internal: true, data: '' };
  handleError(missing, { request, context });
  const defect = new Error('a defect');
  handleError(defect, { request, context });
  expect(reported).toEqual([defect]);
});
