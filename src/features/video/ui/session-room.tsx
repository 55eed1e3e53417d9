import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';
import { useRealtime, useSay } from '#/web/realtime.tsx';
import type { SessionPage } from '../contract.ts';
import { CallScreen } from './call-screen.tsx';
import { transportPolicy } from './call-rules.ts';
import type { CallEvent } from './call-events.ts';
import { createCall, type Call } from './call.ts';
import { DeviceCheck } from './device-check.tsx';
import { hidesAddress } from './hidden-address.tsx';
import { createOwnMedia, type OwnMedia } from './own-media.ts';
import { listenTo, type ListenConnection } from './sound.ts';
import { WaitingRoom } from './waiting-room.tsx';

/** Polling interval in milliseconds, for missed events. */
const askedEvery = 15_000;
/** Milliseconds until joining counts as failed. */
const patience = 15_000;

type Stage = 'check' | 'entering' | 'in' | 'left';

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
  const { appointmentId } = page;
  const api = useApi();
  const queries = useQueryClient();
  const say = useSay();
  const [media] = useState(createOwnMedia);
  const [stage, setStage] = useState<Stage>('check');
  const [problem, setProblem] = useState<string | null>(null);
  const [ownId, setOwnId] = useState<string | null>(null);
  const [call, setCall] = useState<Call | null>(null);
  const [event, setEvent] = useState<{ number: number; event: CallEvent } | null>(null);
  const [phone, setPhone] = useState(false);
  const inside = stage === 'entering' || stage === 'in';

  const room = useQuery({
    ...api.video.room.queryOptions({ input: { appointmentId } }),
    enabled: inside && ownId !== null,
    refetchInterval: askedEvery,
    // The call continues while another window covers the page.
    refetchIntervalInBackground: true,
    staleTime: 0,
  });
  const requestRoom = useCallback(
    () => void queries.invalidateQueries({ queryKey: api.video.room.key() }),
    [queries, api],
  );
  const enter = () => say({ type: 'room.enter', appointmentId });

  useRealtime(({ type, id, data }) => {
    if (type === 'connected') {
      // A new socket is a new peer. Others recognize the page by its id, and connections continue.
      if (inside) enter();
      return;
    }
    if (type === 'refused') {
      const refusal = data as { type?: string; reason?: string } | undefined;
      if (refusal?.type === 'room.signal' && refusal.reason === 'not_in_room' && inside) enter();
      if (refusal?.type !== 'room.enter') return;
      void queries.invalidateQueries({ queryKey: api.video.page.key() });
      if (stage !== 'entering') return;
      setProblem(refusal.reason === 'room_full' ? m.video_full() : m.video_enter_failed_text());
      setStage('check');
      return;
    }
    if (id !== appointmentId) return;
    if (type === 'room.here') {
      setOwnId((data as { peerId: string }).peerId);
      requestRoom();
    } else if (type === 'room.changed') {
      requestRoom();
      void queries.invalidateQueries({ queryKey: api.video.page.key() });
    } else if (type === 'room.signal') {
      const { from, signal } = data as { from: string; signal: unknown };
      call?.receiveSignal(from, signal);
    }
  });

  const ear = useOwnEar(media);
  const admitted = room.data?.admitted === true && ownId !== null;
  const waiting = stage === 'entering' && ownId !== null && room.data?.admitted === false;
  useEffect(() => {
    if (!inside || call || !admitted) return;
    let dropped = false;
    const begin = async () => {
      const iceServers = await api.video.iceServers.call({ appointmentId });
      if (dropped) return;
      let number = 0;
      setCall(
        createCall({
          iceServers,
          transport: transportPolicy(hidesAddress()),
          signal: (to, signal) => say({ type: 'room.signal', appointmentId, to, signal }),
          requestRoom,
          ownLevel: () => ear.current?.level() ?? 0,
          onEvent: (last) => {
            number += 1;
            setEvent({ number, event: last });
          },
        }),
      );
      setStage('in');
    };
    begin().catch(() => {
      if (dropped) return;
      setProblem(m.video_enter_failed_text());
      setStage('check');
    });
    return () => {
      dropped = true;
    };
  }, [inside, call, admitted, api, appointmentId, say, requestRoom, ear]);

  useEffect(() => {
    if (call && room.data?.admitted && ownId) call.updateRoom(room.data, ownId);
  }, [call, room.data, ownId]);

  useEffect(() => {
    if (!call) return;
    const send = () => {
      const { microphone, camera, screen, on } = media.view();
      const doing = {
        microphone: on.microphone && microphone !== null,
        camera: camera !== null,
        screen: screen !== null,
        phone,
      };
      call.sendLocalState({ tracks: { microphone, camera, screen }, doing });
    };
    send();
    return media.subscribe(send);
  }, [call, media, phone]);

  // Joining timed out.
  useEffect(() => {
    if (stage !== 'entering' || waiting) return;
    const timer = setTimeout(() => {
      setProblem(m.video_enter_failed_text());
      setStage('check');
    }, patience);
    return () => clearTimeout(timer);
  }, [stage, waiting]);

  const end = useRef(() => {});
  useEffect(() => {
    end.current = () => {
      call?.leave();
      media.stop();
      if (inside) say({ type: 'room.leave', appointmentId });
    };
  });
  const leave = useCallback(() => {
    end.current();
    setCall(null);
    setOwnId(null);
    setPhone(false);
    setEvent(null);
    setStage('left');
  }, []);
  useEffect(() => {
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      end.current();
    };
  }, [leave]);

  if (stage === 'in' && call) {
    return (
      <CallScreen
        page={page}
        room={room.data}
        call={call}
        media={media}
        viewerId={viewerId}
        event={event}
        onPhone={() => setPhone(true)}
        onLeave={leave}
      />
    );
  }
  if (stage === 'left') {
    return (
      <Frame>
        <Left onAgain={() => setStage('check')}>{afterwards}</Left>
      </Frame>
    );
  }
  if (waiting) {
    return (
      <Frame>
        <WaitingRoom page={page} providerHere={room.data?.providerHere ?? false} onLeave={leave} />
      </Frame>
    );
  }
  return (
    <Frame>
      <DeviceCheck
        page={page}
        media={media}
        joining={stage !== 'check'}
        problem={problem}
        onJoin={() => {
          setProblem(null);
          setStage('entering');
          enter();
        }}
      />
    </Frame>
  );
}

function Left({ onAgain, children }: { onAgain: () => void; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <Card className="mx-auto max-w-reading">
      <div ref={place} tabIndex={-1} className="outline-none">
        <EmptyState
          as="h1"
          illustration={<PathIllustration />}
          title={m.video_left_title()}
          action={
            <>
              {children}
              <Button variant="secondary" onClick={onAgain}>
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

function useOwnEar(media: OwnMedia) {
  const ear = useRef<ListenConnection | null>(null);
  useEffect(() => {
    let heard: MediaStreamTrack | null = null;
    const listen = () => {
      const { microphone } = media.view();
      if (microphone === heard) return;
      heard = microphone;
      ear.current?.stop();
      ear.current = microphone && listenTo(microphone);
    };
    listen();
    const stop = media.subscribe(listen);
    return () => {
      stop();
      ear.current?.stop();
      ear.current = null;
    };
  }, [media]);
  return ear;
}
