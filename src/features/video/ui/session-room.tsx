import { useState, type ReactNode, useEffect, useRef } from 'react';
import type { SessionPage } from '../contract.ts';
import { CallScreen } from './call-screen.tsx';
import { DeviceCheck } from './device-check.tsx';
import { createOwnMedia } from './own-media.ts';
import { useSessionCall } from './session-call.ts';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';
import { timeText } from '#/web/times.ts';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';

export function SessionRoom({
  page,
  viewerId,
  frame: Frame,
  afterwards,
}: {
  page: SessionPage;
  viewerId: string;
  /** Wraps every stage except the full-window call. */
  frame: (props: { children: ReactNode }) => ReactNode;
  afterwards: ReactNode;
}) {
  const [media] = useState(createOwnMedia);
  const { stage, waiting, problem, room, call, event, join, leave, checkDevices, askForPhone } =
    useSessionCall(page.appointmentId, media);

  if (stage === 'in' && call) {
    return (
      <CallScreen
        page={page}
        room={room}
        call={call}
        media={media}
        viewerId={viewerId}
        event={event}
        onPhone={askForPhone}
        onLeave={leave}
      />
    );
  }
  if (stage === 'left') {
    return (
      <Frame>
        <SessionLeft onRejoin={checkDevices}>{afterwards}</SessionLeft>
      </Frame>
    );
  }
  if (waiting) {
    return (
      <Frame>
        <WaitingRoom page={page} providerHere={room?.providerHere ?? false} onLeave={leave} />
      </Frame>
    );
  }
  return (
    <Frame>
      <DeviceCheck page={page} media={media} joining={stage !== 'check'} problem={problem} onJoin={join} />
    </Frame>
  );
}

function SessionLeft({ onRejoin, children }: { onRejoin: () => void; children: ReactNode }) {
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

function WaitingRoom({
  page,
  providerHere,
  onLeave,
}: {
  page: SessionPage;
  providerHere: boolean;
  onLeave: () => void;
}) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => container.current?.focus(), []);
  const { name } = page.provider;
  return (
    <Card className="mx-auto max-w-reading">
      <div ref={container} tabIndex={-1} className="outline-none">
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
