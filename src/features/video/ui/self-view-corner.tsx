import { Move } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';

interface Corner {
  top: boolean;
  left: boolean;
}

/** Pixels a pointer moves before dragging starts. */
const slack = 4;

export interface SelfViewCorner {
  corner: Corner;
  className: string;
  dragging: {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    onPointerCancel: (event: PointerEvent<HTMLElement>) => void;
  };
  move: (corner: Corner) => void;
}

export function useSelfViewCorner(): SelfViewCorner {
  const [corner, move] = useState<Corner>({ top: false, left: false });
  const start = useRef<{ x: number; y: number } | null>(null);
  const end = ({ currentTarget: picture }: PointerEvent<HTMLElement>) => {
    start.current = null;
    if (!picture.style.translate) return;
    const around = picture.parentElement!.getBoundingClientRect();
    const { left, top, width, height } = picture.getBoundingClientRect();
    picture.style.translate = '';
    move({
      left: left + width / 2 < around.left + around.width / 2,
      top: top + height / 2 < around.top + around.height / 2,
    });
  };
  return {
    corner,
    move,
    className: classes(
      'absolute! z-10 h-auto w-36 cursor-grab touch-none shadow-soft select-none sm:w-40 lg:w-56',
      corner.top ? 'top-4' : 'bottom-4',
      corner.left ? 'left-4' : 'right-4',
    ),
    dragging: {
      onPointerDown({ button, target, currentTarget: picture, pointerId, clientX: x, clientY: y }) {
        // Leaves clicks on the button alone.
        if (button !== 0 || (target as Element).closest('button')) return;
        start.current = { x, y };
        // A fast pointer leaves the video at once.
        picture.setPointerCapture(pointerId);
      },
      onPointerMove({ currentTarget: picture, clientX, clientY }) {
        if (!start.current) return;
        const [across, down] = [clientX - start.current.x, clientY - start.current.y];
        if (!picture.style.translate && Math.hypot(across, down) < slack) return;
        picture.style.translate = `${across}px ${down}px`;
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}

export function MoveButton({ at: { corner, move } }: { at: SelfViewCorner }) {
  const { top, left } = corner;
  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      ArrowUp: { top: true, left },
      ArrowDown: { top: false, left },
      ArrowLeft: { top, left: true },
      ArrowRight: { top, left: false },
    }[event.key];
    if (!next) return;
    event.preventDefault();
    move(next);
  };
  return (
    <button
      type="button"
      aria-label={m.video_move_own({ place: placeText(corner) })}
      title={m.video_move_own_hint()}
      onKeyDown={onKeyDown}
      // Clockwise.
      onClick={() => move({ top: left, left: !top })}
      className="absolute top-0 right-0 z-10 grid size-11 place-items-center rounded-control focus-visible:-outline-offset-3"
    >
      <span className="grid size-7 place-items-center rounded-full bg-paper">
        <Move aria-hidden className="size-4" />
      </span>
    </button>
  );
}

function placeText({ top, left }: Corner): string {
  if (top) return left ? m.video_corner_top_left() : m.video_corner_top_right();
  return left ? m.video_corner_bottom_left() : m.video_corner_bottom_right();
}
