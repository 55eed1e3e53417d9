import { PassThrough, Readable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import {
  isRouteErrorResponse,
  ServerRouter,
  type EntryContext,
  type RouterContextProvider,
} from 'react-router';
import css from '#/web/theme.css?inline';
import { pageRequest } from './contexts.ts';
import { PageHeadContext } from './page-head.ts';

export { pageRequest };

/** How long a page may take to render, in milliseconds. */
const timeout = 10_000;

/**
 * What a loader or a page threw goes to the server's log, under the request it belongs to; the router itself would
 * print it with every value that a database error names. An address that nothing stands at is no defect.
 */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.get(pageRequest).report(error);
}

/** Renders a page whole, not streamed: it arrives with its content and can be cached. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce, requestId, report } = context.get(pageRequest);
  return new Promise((resolve, reject) => {
    let failed = false;
    let failure: unknown;
    const { pipe, abort } = renderToPipeableStream(
      <PageHeadContext value={{ nonce, css, requestId }}>
        <ServerRouter context={entry} url={request.url} nonce={nonce} />
      </PageHeadContext>,
      {
        nonce,
        // Larger parts would otherwise come hidden, behind a script that shows them.
        progressiveChunkSize: Infinity,
        onAllReady() {
          clearTimeout(late);
          if (failed) report(failure);
          headers.set('content-type', 'text/html; charset=utf-8');
          const body = new PassThrough();
          resolve(
            new Response(Readable.toWeb(body) as ReadableStream, { headers, status: failed ? 500 : status }),
          );
          pipe(body);
        },
        onShellError(error) {
          clearTimeout(late);
          reject(error);
        },
        onError(error) {
          failed = true;
          failure = error;
        },
      },
    );
    const late = setTimeout(abort, timeout).unref();
  });
}
