import { useMemo, useState, type ReactNode, useEffect, useRef } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';
import { largestOf, type Quality } from './call-rules.ts';
import type { CallView, Participant } from './call-view.ts';
import { useSelfViewCorner, MoveButton, type SelfViewCorner } from './self-view-corner.tsx';
import type { OwnMediaView } from './own-media-view.ts';
import { MicOff, MonitorUp } from 'lucide-react';
import { Avatar } from '#/web/components/avatar.tsx';
import { qualityText } from './call-texts.ts';
import type { LinkState } from './peer-connectivity.ts';

/** Columns by number of tiles. */
const strips = ['', 'grid-cols-1', 'grid-cols-2', 'grid-cols-3'];
const grids = ['', 'lg:grid-cols-1', 'lg:grid-cols-2', 'lg:grid-cols-2', 'lg:grid-cols-2'];

/**
 * Two people see each other large and themselves in a corner. In larger calls, phones enlarge the speaker above a
 * strip; desktops use a grid unless a screen is shared.
 */
export function CallStage({
  view,
  own,
  viewerId,
  ownName,
  onBlocked,
  line,
  children,
}: {
  view: CallView;
  own: OwnMediaView;
  viewerId: string;
  ownName: string;
  onBlocked: () => void;
  line: string | null;
  children?: ReactNode;
}) {
  const corner = useSelfViewCorner();
  const [before, setBefore] = useState<string | null>(null);
  const ownFace = useStream(own.camera);
  const ownScreen = useStream(own.screen);
  const tiles: Tile[] = [
    ...view.participants.flatMap((participant) => tilesOf(participant)),
    {
      id: 'self',
      label: m.video_you(),
      personId: viewerId,
      name: ownName,
      stream: ownFace,
      own: true,
      screen: false,
      seen: own.camera !== null,
      microphone: own.on.microphone && own.microphone !== null,
      state: 'connected',
      quality: 'good',
    },
  ];
  if (own.screen) {
    tiles.push({
      ...tiles.at(-1)!,
      id: 'self screen',
      label: m.video_your_screen(),
      stream: ownScreen,
      screen: true,
      seen: true,
    });
  }
  const large = largestOf(tiles, view.speaker, before);
  if (large !== before) setBefore(large);
  const shown = tiles.some(({ screen }) => screen);
  const few = tiles.length === 2 && !shown;
  const speaking = view.participants.find(({ id }) => id === view.speaker);
  const byId = new Map(view.participants.map((participant) => [participant.id, participant]));
  return (
    <section aria-label={m.video_pictures()} className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <div
        className={classes(
          'relative grid min-h-0 flex-1 auto-rows-[5.5rem] grid-rows-[minmax(0,1fr)] gap-2 p-2',
          strips[Math.min(3, Math.max(1, tiles.length - 1))],
          shown ? 'lg:auto-rows-[8rem]' : 'lg:auto-rows-fr lg:grid-rows-none',
          !shown && (few ? 'lg:grid-cols-1' : (grids[tiles.length] ?? 'lg:grid-cols-3')),
        )}
      >
        {tiles.map((tile) => (
          <CallTile
            key={tile.id}
            tile={tile}
            large={tile.id === large}
            speaking={tile.id === view.speaker}
            speaker={own.chosen.speaker}
            silent={byId.get(tile.id)?.peer.personId === viewerId}
            onBlocked={onBlocked}
            corner={few && tile.own ? corner : null}
            className={classes(
              tile.id === large && 'order-first col-span-full',
              tile.id === large && !shown && 'lg:order-none lg:col-span-1',
            )}
          />
        ))}
      </div>
      <div className="min-h-7 px-3 pb-1 text-center text-sm">
        <p role="status" className="truncate">
          {line}
        </p>
        {!line && (
          <p className="truncate text-quiet">
            {view.participants.length === 0 && m.video_alone()}
            {speaking && m.video_speaks({ name: speaking.peer.name })}
          </p>
        )}
      </div>
      {children}
    </section>
  );
}

function tilesOf({ id, peer, state, cameraStream, screenStream, doing, quality }: Participant): Tile[] {
  const { name, personId } = peer;
  const face: Tile = {
    id,
    label: name,
    personId,
    name,
    stream: cameraStream,
    own: false,
    screen: false,
    seen: doing.camera && cameraStream !== null,
    microphone: doing.microphone,
    state,
    quality,
  };
  if (!doing.screen) return [face];
  const shown = {
    id: `${id} screen`,
    label: m.video_screen_of({ name }),
    stream: screenStream,
    screen: true,
  };
  return [face, { ...face, ...shown, seen: true }];
}

function useStream(track: MediaStreamTrack | null): MediaStream | null {
  return useMemo(() => track && new MediaStream([track]), [track]);
}

interface Tile {
  id: string;
  label: string;
  personId: string;
  name: string;
  stream: MediaStream | null;
  own: boolean;
  screen: boolean;
  seen: boolean;
  microphone: boolean;
  state: LinkState;
  quality: Quality;
}

function CallTile({
  tile,
  large,
  speaking,
  speaker,
  silent,
  onBlocked,
  corner = null,
  className,
}: {
  tile: Tile;
  large: boolean;
  speaking: boolean;
  /** Output device id. */
  speaker: string | null;
  /** Mutes own other tabs to prevent echo. */
  silent: boolean;
  /** The browser blocked autoplay until a click. */
  onBlocked: () => void;
  /** Overlay position; null for a regular tile. */
  corner?: SelfViewCorner | null;
  className: string;
}) {
  const { label, name, personId, stream, own, screen, seen, microphone, state, quality } = tile;
  const video = useRef<HTMLVideoElement>(null);
  const blocked = useRef(onBlocked);
  useEffect(() => {
    blocked.current = onBlocked;
  });
  useEffect(() => {
    const element = video.current;
    if (!element || !stream) return;
    element.srcObject = stream;
    element.play().catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotAllowedError') blocked.current();
    });
    return () => {
      element.srcObject = null;
    };
  }, [stream]);
  useEffect(() => {
    const element = video.current;
    if (own || !speaker || !element || !('setSinkId' in element)) return;
    // Unplugged: playback continues on the default device.
    element.setSinkId(speaker).catch(() => undefined);
  }, [own, speaker]);
  const words = own ? null : stateText(state, quality);
  return (
    <figure
      aria-label={label}
      data-large={large || undefined}
      {...corner?.dragging}
      className={classes(
        'relative isolate m-0 grid min-h-0 min-w-0 place-items-center overflow-hidden rounded-card border-2 bg-card',
        speaking ? 'border-sage' : 'border-transparent',
        corner?.className,
        className,
      )}
    >
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- who speaks is said below; a live voice has no captions */}
      <video
        ref={video}
        autoPlay
        playsInline
        muted={own || silent}
        className={classes(
          // Never crops faces: tiles letterbox the video, the corner takes the video's shape.
          'object-contain',
          corner ? 'max-h-52 w-full' : 'absolute inset-0 size-full',
          own && !screen && '-scale-x-100',
          !seen && (corner ? 'hidden' : 'invisible'),
        )}
      />
      {!seen && (
        <Avatar
          id={personId}
          name={name}
          size={large ? 'lg' : 'md'}
          className={corner ? 'mt-6 mb-10' : undefined}
        />
      )}
      {corner && <MoveButton at={corner} />}
      {words && (
        <p className="absolute inset-x-2 top-2 mx-auto w-fit rounded-full bg-paper px-3 py-1 text-center text-sm">
          {words}
        </p>
      )}
      <figcaption className="absolute bottom-1.5 left-1.5 flex max-w-[calc(100%-0.75rem)] items-center gap-1.5 rounded-full bg-paper px-2.5 py-0.5 text-sm">
        {screen && <MonitorUp aria-hidden className="size-3.5 shrink-0" />}
        <span className="truncate">{label}</span>
        {!screen && !microphone && state !== 'connecting' && (
          <>
            <MicOff aria-hidden className="size-3.5 shrink-0 text-clay" />
            <span className="sr-only">{m.video_is_muted()}</span>
          </>
        )}
      </figcaption>
    </figure>
  );
}

function stateText(state: LinkState, quality: Quality): string | null {
  switch (state) {
    case 'connecting':
      return m.video_connecting();
    case 'reconnecting':
    case 'closed':
      return m.video_reconnecting();
    case 'connected':
      return quality === 'good' ? null : qualityText(quality);
  }
}
