import { useEffect, useRef, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';

export function SessionLeft({ onRejoin, children }: { onRejoin: () => void; children: ReactNode }) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.focus(), []);
  return (
    <Card className="mx-auto max-w-reading">
      <div ref={card} tabIndex={-1} className="outline-none">
        <EmptyState
          as="h1"
          illustration={<PathIllustration />}
          title={m.video_left_title()}
          action={
            <>
              {children}
              <Button variant="secondary" onClick={onRejoin}>
                {m.video_again()}
              </Button>
              <ButtonLink to="/home" variant="quiet">
                {m.video_to_home()}
              </ButtonLink>
            </>
          }
        >
          {m.video_left_text()}
        </EmptyState>
      </div>
    </Card>
  );
}
