import { useCallback, useEffect, useRef, useState, type DOMAttributes, type PointerEvent } from 'react';
import type { AgendaEntry } from '../agenda/contract.ts';
import {
  droppedSpan,
  pointIn,
  spanBetween,
  type DaySpan,
  type DrawnHours,
  type Point,
} from './calendar-spans.ts';

export type Drag = DaySpan & { entry: AgendaEntry | null };

/** Movement in pixels that begins a drag; below it, a press is a click. */
const threshold = 6;

interface Origin {
  x: number;
  y: number;
  /** The calendar may scroll during the drag. */
  from: Point;
  session: string | undefined;
}

/**
 * Lets a mouse or pen drag sessions to another time, and over the rest to choose a span. Buttons with `data-session`
 * can be dragged, those with `data-free` dragged over. Fingers scroll instead.
 */
export function useCalendarDrag({
  hours,
  grabbed,
  onMove,
  onSpan,
}: {
  hours: DrawnHours;
  /** The session with this id, and its start in minutes since midnight. */
  grabbed: (id: string) => { entry: AgendaEntry; start: number } | undefined;
  onMove: (entry: AgendaEntry, to: DaySpan) => void;
  onSpan: (span: DaySpan) => void;
}): { drag: Drag | null; props: DOMAttributes<HTMLElement> } {
  const origin = useRef<Origin | null>(null);
  const wasDragged = useRef(false);
  const [drag, setDrag] = useState<Drag | null>(null);
  const end = useCallback(() => {
    origin.current = null;
    setDrag(null);
  }, []);
  const dragging = drag !== null;
  useEffect(() => {
    if (!dragging) return;
    const cancel = (event: KeyboardEvent) => {
      if (event.key === 'Escape') end();
    };
    window.addEventListener('keydown', cancel);
    return () => window.removeEventListener('keydown', cancel);
  }, [dragging, end]);

  const pointOf = ({ currentTarget, clientX: x, clientY: y }: PointerEvent<HTMLElement>) =>
    pointIn(hours, currentTarget.getBoundingClientRect(), { x, y });
  const dragTo = (event: PointerEvent<HTMLElement>): Drag | null => {
    if (!origin.current) return null;
    const { from, session } = origin.current;
    const to = pointOf(event);
    if (session === undefined) return { entry: null, ...spanBetween(from, to, hours) };
    const held = grabbed(session);
    if (!held) return null;
    const { entry, start } = held;
    const length = (Date.parse(entry.endsAt) - Date.parse(entry.startsAt)) / 60_000;
    const dropped = droppedSpan({ start, length }, from, to, hours);
    return dropped.date === from.date && dropped.from === start ? null : { entry, ...dropped };
  };
  return {
    drag,
    props: {
      onPointerDown(event) {
        wasDragged.current = false;
        if (event.button !== 0 || event.pointerType === 'touch') return;
        const button = (event.target as Element).closest('button');
        const session = button?.dataset.session;
        if (button && session === undefined && button.dataset.free === undefined) return;
        origin.current = { x: event.clientX, y: event.clientY, from: pointOf(event), session };
      },
      onPointerMove(event) {
        if (!origin.current) return;
        const { x, y } = origin.current;
        if (!wasDragged.current) {
          if (Math.hypot(event.clientX - x, event.clientY - y) < threshold) return;
          wasDragged.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
        }
        setDrag(dragTo(event));
      },
      onPointerUp(event) {
        const done = wasDragged.current ? dragTo(event) : null;
        end();
        if (!done) return;
        const { entry, ...span } = done;
        if (entry) onMove(entry, span);
        else onSpan(span);
      },
      onPointerCancel: end,
      onClickCapture(event) {
        // Browsers may click what lies under the end of a drag.
        if (wasDragged.current) event.stopPropagation();
        wasDragged.current = false;
      },
    },
  };
}
