import { useEffect } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { ErrorFrame } from './error-screen.tsx';

/** How often the site is asked whether it is open again, in milliseconds. */
const askAgainMs = 15_000;

/** Stands in every page's place while the site is closed for its maintenance, and opens it again by itself. */
export function ClosedScreen() {
  useEffect(() => {
    const timer = setInterval(() => void reopen(), askAgainMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <ErrorFrame title={m.error_maintenance_title()} text={m.error_maintenance_text()}>
      <Button className="mt-8" onClick={() => window.location.reload()}>
        {m.error_try_again()}
      </Button>
    </ErrorFrame>
  );
}

async function reopen(): Promise<void> {
  const answer = await fetch('/api/site').catch(() => null);
  if (answer?.ok) window.location.reload();
}
