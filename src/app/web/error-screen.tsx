import { useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';
import { Container } from '#/web/components/page.tsx';
import { useHydrated } from '#/web/hydrated.ts';

const numberId = 'request-number';

/** Error page without context dependencies: any provider may have failed. */
export function ErrorScreen({ kind, requestId }: { kind: 'not_found' | 'defect'; requestId?: string }) {
  const missing = kind === 'not_found';
  const hydrated = useHydrated();
  const title = missing ? m.error_not_found_title() : m.error_title();
  // The browser doesn't know the server's request id, so read it from the page.
  const [number] = useState(() => requestId || numberInPage());
  return (
    <ErrorFrame
      title={title}
      text={
        missing
          ? m.error_not_found_text()
          : number
            ? `${m.error_text()} ${m.error_number_text()}`
            : m.error_text()
      }
    >
      {!missing && number && (
        <p className="mt-3 rounded-control bg-sunken px-3 py-1.5 font-mono text-sm">
          <span className="sr-only">{m.error_request_id()}: </span>
          <span id={numberId}>{number}</span>
        </p>
      )}
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        {!missing && (
          <Button disabled={!hydrated} onClick={() => window.location.reload()}>
            {m.web_try_again()}
          </Button>
        )}
        {/* Full page load, since this page has crashed. */}
        <a
          href="/"
          className="inline-flex min-h-11 items-center rounded-control border border-control bg-card px-5 py-2 font-semibold hover:bg-sunken"
        >
          {m.error_return_home()}
        </a>
      </div>
    </ErrorFrame>
  );
}

export function ErrorFrame({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <main id="content" tabIndex={-1} className="grid min-h-dvh place-items-center py-12 outline-none">
      <title>{title}</title>
      <Container className="flex flex-col items-center text-center">
        <PathIllustration className="max-w-64" />
        <h1 className="mt-8 text-2xl sm:text-3xl">{title}</h1>
        <p className="mt-3 max-w-lg text-lg text-quiet">{text}</p>
        {children}
        <HelpNow className="mt-8" />
      </Container>
    </main>
  );
}

function numberInPage(): string {
  if (typeof document === 'undefined') return '';
  return document.getElementById(numberId)?.textContent ?? '';
}
