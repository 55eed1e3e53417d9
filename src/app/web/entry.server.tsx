import { PassThrough, Readable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import {
  isRouteErrorResponse,
  ServerRouter,
  type EntryContext,
  type RouterContextProvider,
} from 'react-router';
import css from '#/web/theme.css?inline';
import { showOwnZone } from '#/web/times-script.ts';
import { pageRequest } from './contexts.ts';
import { queueClicks } from './queued-clicks.ts';
import { PageHeadContext } from './page-head.ts';
import { startWhenWanted } from './start-on-input.ts';

export { pageRequest };

const script = `${queueClicks};${startWhenWanted}`;

/** Render timeout in milliseconds. */
const timeout = 10_000;

/**
 * Logs loader and render errors under their request. The router's default would print values from database errors;
 * unknown URLs aren't logged.
 */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.get(pageRequest).report(error);
}

/** Renders a page in full instead of streaming, so it arrives complete and cacheable. */
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
      <PageHeadContext value={{ nonce, css, script, showOwnZone, requestId }}>
        <ServerRouter context={entry} url={request.url} nonce={nonce} />
      </PageHeadContext>,
      {
        nonce,
        // Otherwise React reveals large chunks with a script.
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
