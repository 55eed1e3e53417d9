import { MicOff, MonitorUp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { classes } from '#/web/components/classes.ts';
import type { Quality } from './call-rules.ts';
import { qualityText } from './call-texts.ts';
import { MoveButton, type OwnCorner } from './own-corner.tsx';
import type { LinkState } from './peer-connectivity.ts';

export interface Tile {
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

export function CallTile({
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
  corner?: OwnCorner | null;
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
