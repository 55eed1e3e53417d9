import { useMemo, useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';
import { largestOf } from './call-rules.ts';
import { CallTile, type Tile } from './call-tile.tsx';
import type { CallView, Participant } from './call-view.ts';
import { useOwnCorner } from './own-corner.tsx';
import type { OwnMediaView } from './own-media-view.ts';

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
  const corner = useOwnCorner();
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
