import { useCallback, useEffect, useRef, useState, type DOMAttributes, type PointerEvent } from 'react';
import {
  droppedSpan,
  pointIn,
  spanBetween,
  stretchedSpan,
  type DaySpan,
  type DrawnHours,
  type Edge,
  type Point,
} from './day-spans.ts';

export interface Drag<Day = string> {
  span: DaySpan<Day>;
  /** What is dragged; null for a new span. */
  id: string | null;
  edge: Edge | null;
}

/** Movement in pixels that begins a drag; below it, a press is a click. */
const threshold = 6;

interface Origin<Day> {
  x: number;
  y: number;
  /** The calendar may scroll during the drag. */
  from: Point<Day>;
  id: string | null;
  edge: Edge | null;
}

/**
 * Lets a mouse or pen drag what has `data-grab` to another time, or its `data-edge` to make it longer or shorter, and
 * choose a span over the rest. Buttons can't be dragged over unless they have `data-free`. Fingers scroll instead.
 */
export function useSpanDrag<Day>({
  hours,
  least,
  grabbed,
  onChange,
  onSpan,
}: {
  hours: DrawnHours<Day>;
  /** The shortest span in minutes, if longer than a step. */
  least?: number;
  /** The span of what has this id. */
  grabbed: (id: string) => DaySpan<Day> | undefined;
  onChange: (id: string, to: DaySpan<Day>) => void;
  onSpan: (span: DaySpan<Day>) => void;
}): { drag: Drag<Day> | null; props: DOMAttributes<HTMLElement> } {
  const origin = useRef<Origin<Day> | null>(null);
  const wasDragged = useRef(false);
  const [drag, setDrag] = useState<Drag<Day> | null>(null);
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
  const dragTo = (event: PointerEvent<HTMLElement>): Drag<Day> | null => {
    if (!origin.current) return null;
    const { from, id, edge } = origin.current;
    const to = pointOf(event);
    if (id === null) return { span: spanBetween(from, to, hours, least), id, edge };
    const held = grabbed(id);
    if (!held) return null;
    const span = edge
      ? stretchedSpan(held, edge, to.minute, hours, least)
      : droppedSpan(held, from, to, hours);
    const isSame = span.day === held.day && span.from === held.from && span.to === held.to;
    return isSame ? null : { span, id, edge };
  };
  return {
    drag,
    props: {
      onPointerDown(event) {
        wasDragged.current = false;
        if (event.button !== 0 || event.pointerType === 'touch') return;
        const pressed = event.target as Element;
        const held = pressed.closest<HTMLElement>('[data-grab], [data-free], button');
        const id = held?.dataset.grab ?? null;
        if (held && id === null && held.dataset.free === undefined) return;
        const edge = (pressed.closest<HTMLElement>('[data-edge]')?.dataset.edge ?? null) as Edge | null;
        origin.current = { x: event.clientX, y: event.clientY, from: pointOf(event), id, edge };
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
        if (done.id === null) onSpan(done.span);
        else onChange(done.id, done.span);
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
