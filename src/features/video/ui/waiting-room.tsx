import { useEffect, useRef } from 'react';
import { m } from '#/texts/messages.js';
import { timeText } from '#/web/times.ts';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import type { SessionPage } from '../contract.ts';

export function WaitingRoom({
  page,
  providerHere,
  onLeave,
}: {
  page: SessionPage;
  providerHere: boolean;
  onLeave: () => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const { name } = page.provider;
  return (
    <Card className="mx-auto max-w-reading">
      <div ref={place} tabIndex={-1} className="outline-none">
        <EmptyState
          as="h1"
          illustration={<WindowIllustration />}
          title={m.video_waiting_title()}
          action={
            <Button variant="secondary" onClick={onLeave}>
              {m.video_waiting_leave()}
            </Button>
          }
        >
          <span role="status" className="block">
            {providerHere ? m.video_waiting_here({ name }) : m.video_waiting_not_here({ name })}
          </span>
          <span className="mt-2 block">
            {m.video_waiting_begins({ time: timeText(page.startsAt, page.timeZone) })}{' '}
            {m.video_waiting_calm()}
          </span>
          <span className="mt-2 block text-sm">{m.video_not_recorded()}</span>
        </EmptyState>
      </div>
    </Card>
  );
}
