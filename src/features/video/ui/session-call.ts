import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { useRealtime, useSendFrame } from '#/web/realtime.tsx';
import type { CallEvent } from './call-events.ts';
import { transportPolicy } from './call-rules.ts';
import { createCall, type Call } from './call.ts';
import { hidesAddress } from './hidden-address.tsx';
import type { OwnMedia } from './own-media.ts';
import { roomMessageOf } from './room-messages.ts';
import { listenTo, type ListenConnection } from './sound.ts';
import type { LocalState } from './call-connections.ts';
import type { OwnMediaView } from './own-media-view.ts';

/** Polling interval in milliseconds, for missed events. */
const pollInterval = 15_000;
/** Milliseconds until joining counts as failed. */
const joinTimeout = 15_000;

type Stage = 'check' | 'entering' | 'in' | 'left';

/** Controls a viewer's steps: device check, room, call and leaving. */
export function useSessionCall(appointmentId: string, media: OwnMedia) {
  const say = useSendFrame();
  const [stage, setStage] = useState<Stage>('check');
  const [problem, setProblem] = useState<string | null>(null);
  const [ownId, setOwnId] = useState<string | null>(null);
  const [call, setCall] = useState<Call | null>(null);
  const [event, setEvent] = useState<CallEvent | null>(null);
  const [phone, setPhone] = useState(false);
  const inside = stage === 'entering' || stage === 'in';

  const { room, requestRoom } = useRoom(appointmentId, inside && ownId !== null);
  const enter = () => say({ type: 'room.enter', appointmentId });
  const fail = useCallback(
    (reason = m.web_check_connection()) => {
      // Or others would see this page waiting.
      say({ type: 'room.leave', appointmentId });
      setOwnId(null);
      setProblem(reason);
      setStage('check');
    },
    [say, appointmentId],
  );

  useRoomMessages(appointmentId, {
    onOutside: () => inside && enter(),
    onRefused: (reason) => {
      if (stage === 'entering') fail(reason === 'room_full' ? m.video_full() : undefined);
    },
    onEntered: (peerId) => {
      setOwnId(peerId);
      requestRoom();
    },
    onChanged: requestRoom,
    onSignal: (from, signal) => call?.receiveSignal(from, signal),
  });

  const ownLevel = useMicrophoneLevel(media);
  const admitted = room?.admitted === true && ownId !== null;
  const waiting = stage === 'entering' && ownId !== null && room?.admitted === false;
  useEffect(() => {
    if (!inside || call || !admitted) return;
    let canceled = false;
    const begin = async () => {
      const iceServers = await api.video.iceServers.call({ appointmentId });
      if (canceled) return;
      setCall(
        createCall({
          iceServers,
          transport: transportPolicy(hidesAddress()),
          signal: (to, signal) => say({ type: 'room.signal', appointmentId, to, signal }),
          requestRoom,
          ownLevel,
          onEvent: setEvent,
        }),
      );
      setStage('in');
    };
    begin().catch(() => {
      if (!canceled) fail();
    });
    return () => {
      canceled = true;
    };
  }, [inside, call, admitted, appointmentId, say, requestRoom, ownLevel, fail]);

  useEffect(() => {
    if (call && room?.admitted && ownId) call.updateRoom(room, ownId);
  }, [call, room, ownId]);
  useLocalState(call, media, phone);

  useEffect(() => {
    if (stage !== 'entering' || waiting) return;
    const timer = setTimeout(() => fail(), joinTimeout);
    return () => clearTimeout(timer);
  }, [stage, waiting, fail]);

  const leave = useLeaving(
    () => {
      call?.leave();
      media.stop();
      if (inside) say({ type: 'room.leave', appointmentId });
    },
    () => {
      setCall(null);
      setOwnId(null);
      setPhone(false);
      setEvent(null);
      setStage('left');
    },
  );

  return {
    stage,
    waiting,
    problem,
    room,
    call,
    event,
    join() {
      setProblem(null);
      setStage('entering');
      enter();
    },
    leave,
    checkDevices: () => setStage('check'),
    askForPhone: setPhone,
  };
}

interface RoomHandlers {
  /** Others know the page by its id. */
  onOutside: () => void;
  onRefused: (reason: string | undefined) => void;
  onEntered: (peerId: string) => void;
  onChanged: () => void;
  onSignal: Call['receiveSignal'];
}

function useRoomMessages(appointmentId: string, handlers: RoomHandlers): void {
  const queries = useQueryClient();
  const updatePage = () => void queries.invalidateQueries({ queryKey: api.video.page.key() });
  useRealtime((realtimeMessage) => {
    const message = roomMessageOf(realtimeMessage, appointmentId);
    switch (message?.kind) {
      case 'connected':
      case 'not_in_room':
        handlers.onOutside();
        break;
      case 'refused':
        updatePage();
        handlers.onRefused(message.reason);
        break;
      case 'entered':
        handlers.onEntered(message.peerId);
        break;
      case 'changed':
        handlers.onChanged();
        updatePage();
        break;
      case 'signal':
        handlers.onSignal(message.from, message.signal);
        break;
      case undefined:
    }
  });
}

function useRoom(appointmentId: string, enabled: boolean) {
  const queries = useQueryClient();
  const { data: room } = useQuery({
    ...api.video.room.queryOptions({ input: { appointmentId } }),
    enabled,
    refetchInterval: pollInterval,
    // Even while another window covers the page.
    refetchIntervalInBackground: true,
    staleTime: 0,
  });
  const requestRoom = useCallback(
    () => void queries.invalidateQueries({ queryKey: api.video.room.key() }),
    [queries],
  );
  return { room, requestRoom };
}

/** Returns a function that leaves. Closing the page leaves too, and unmounting only ends the call. */
function useLeaving(end: () => void, onLeft: () => void): () => void {
  const latest = useRef({ end, onLeft });
  useEffect(() => {
    latest.current = { end, onLeft };
  });
  const leave = useCallback(() => {
    latest.current.end();
    latest.current.onLeft();
  }, []);
  useEffect(() => {
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      latest.current.end();
    };
  }, [leave]);
  return leave;
}

/** Returns a function that reads the own microphone's level, from 0 to 1. */
function useMicrophoneLevel(media: OwnMedia): () => number {
  const connection = useRef<ListenConnection | null>(null);
  useEffect(() => {
    let measured: MediaStreamTrack | null = null;
    const listen = () => {
      const { microphone } = media.view();
      if (microphone === measured) return;
      measured = microphone;
      connection.current?.stop();
      connection.current = microphone && listenTo(microphone);
    };
    listen();
    const unsubscribe = media.subscribe(listen);
    return () => {
      unsubscribe();
      connection.current?.stop();
      connection.current = null;
    };
  }, [media]);
  return useCallback(() => connection.current?.level() ?? 0, []);
}

/** A muted microphone keeps its track. */
function localStateOf({ microphone, camera, screen, on }: OwnMediaView, phone: boolean): LocalState {
  return {
    tracks: { microphone, camera, screen },
    doing: {
      microphone: on.microphone && microphone !== null,
      camera: camera !== null,
      screen: screen !== null,
      phone,
    },
  };
}

/** Sends own tracks and state to the call on every change. */
function useLocalState(call: Call | null, media: OwnMedia, phone: boolean): void {
  useEffect(() => {
    if (!call) return;
    const send = () => call.sendLocalState(localStateOf(media.view(), phone));
    send();
    return media.subscribe(send);
  }, [call, media, phone]);
}
