import { PassThrough, Readable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
import { ServerRouter, type EntryContext, type RouterContextProvider } from 'react-router';
import css from '#/web/theme.css?inline';
import { pageRequest } from './contexts.ts';
import { PageHeadContext } from './page-head.ts';

export { pageRequest };

/** How long a page may take to render, in milliseconds. */
const timeout = 10_000;

/** Renders a page whole, not streamed: it arrives with its content and can be cached. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { nonce, requestId } = context.get(pageRequest);
  return new Promise((resolve, reject) => {
    let failed = false;
    const { pipe, abort } = renderToPipeableStream(
      <PageHeadContext value={{ nonce, css, requestId }}>
        <ServerRouter context={entry} url={request.url} nonce={nonce} />
      </PageHeadContext>,
      {
        nonce,
        onAllReady() {
          headers.set('content-type', 'text/html; charset=utf-8');
          const body = new PassThrough();
          resolve(
            new Response(Readable.toWeb(body) as ReadableStream, { headers, status: failed ? 500 : status }),
          );
          pipe(body);
        },
        onShellError: reject,
        onError() {
          failed = true;
        },
      },
    );
    setTimeout(abort, timeout).unref();
  });
}
