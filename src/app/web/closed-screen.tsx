import { useEffect } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import type { ClosedFor } from './contexts.ts';
import { ErrorFrame } from './error-screen.tsx';

/** Polling interval in milliseconds. */
const askAgainMs = 15_000;

export function ClosedScreen({ reason }: { reason: ClosedFor }) {
  const [title, text] =
    reason === 'outage'
      ? [m.error_outage_title(), m.error_outage_text()]
      : [m.error_maintenance_title(), m.error_maintenance_text()];
  useEffect(() => {
    const timer = setInterval(() => void reopen(), askAgainMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <ErrorFrame title={title} text={text}>
      <Button className="mt-8" onClick={() => window.location.reload()}>
        {m.web_try_again()}
      </Button>
    </ErrorFrame>
  );
}

async function reopen(): Promise<void> {
  const answer = await fetch('/api/site').catch(() => null);
  if (answer?.ok) window.location.reload();
}
