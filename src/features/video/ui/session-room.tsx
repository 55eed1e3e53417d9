import { useState, type ReactNode } from 'react';
import type { SessionPage } from '../contract.ts';
import { CallScreen } from './call-screen.tsx';
import { DeviceCheck } from './device-check.tsx';
import { createOwnMedia } from './own-media.ts';
import { useSessionCall } from './session-call.ts';
import { SessionLeft } from './session-left.tsx';
import { WaitingRoom } from './waiting-room.tsx';

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
  const { stage, waiting, problem, room, call, event, join, leave, checkDevices, requestPhone } =
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
        onPhone={requestPhone}
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
