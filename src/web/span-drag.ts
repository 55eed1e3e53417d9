import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type HTMLAttributes,
  type RefAttributes,
  useEffectEvent,
  type RefObject,
} from 'react';
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
  /** The dragged span; null for a new one. */
  id: string | null;
  edge: Edge | null;
}

/** Movement in pixels that begins a drag; below it, a press is a click. */
const threshold = 6;
/** How long a finger rests before it drags, in milliseconds. Sooner, it scrolls. */
const holdMs = 400;

interface Origin<Day> extends Pointer {
  /** The calendar may scroll during the drag. */
  from: Point<Day>;
  id: string | null;
  edge: Edge | null;
  /** A finger's, until it drags. */
  hold?: number;
}

/**
 * Lets a mouse, pen or resting finger drag what has `data-grab` to another time, or its `data-edge` to make it longer
 * or shorter, and choose a span over the rest. Buttons can't be dragged over unless they have `data-free`.
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
}): { drag: Drag<Day> | null; props: HTMLAttributes<HTMLDivElement> & RefAttributes<HTMLDivElement> } {
  const calendar = useRef<HTMLDivElement>(null);
  const origin = useRef<Origin<Day> | null>(null);
  const at = useRef<Pointer | null>(null);
  const wasDragged = useRef(false);
  const [drag, setDrag] = useState<Drag<Day> | null>(null);
  const end = useCallback(() => {
    clearTimeout(origin.current?.hold);
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
  useEffect(() => {
    const element = calendar.current;
    // React's own listener can't keep the page from scrolling.
    const keepStill = (event: TouchEvent) => {
      if (wasDragged.current && origin.current) event.preventDefault();
    };
    element?.addEventListener('touchmove', keepStill, { passive: false });
    return () => element?.removeEventListener('touchmove', keepStill);
  }, []);

  const pointAt = (pointer: Pointer) => pointIn(hours, calendar.current!.getBoundingClientRect(), pointer);
  const dragTo = (pointer: Pointer): Drag<Day> | null => {
    if (!origin.current) return null;
    const { from, id, edge } = origin.current;
    const to = pointAt(pointer);
    if (id === null) return { span: spanBetween(from, to, hours, least), id, edge };
    const held = grabbed(id);
    if (!held) return null;
    const span = edge
      ? stretchedSpan(held, edge, to.minute, hours, least)
      : droppedSpan(held, from, to, hours);
    return { span, id, edge };
  };
  const isMoved = ({ id, span }: Drag<Day>) => {
    const held = id === null ? undefined : grabbed(id);
    return !held || span.day !== held.day || span.from !== held.from || span.to !== held.to;
  };
  const begin = (pointerId: number, pointer: Pointer) => {
    wasDragged.current = true;
    calendar.current?.setPointerCapture(pointerId);
    setDrag(dragTo(pointer));
  };
  useEdgeScroll(dragging, { from: origin, at }, () => {
    if (at.current) setDrag(dragTo(at.current));
  });
  return {
    drag,
    props: {
      ref: calendar,
      onPointerDown({ button, isPrimary, pointerType, pointerId, clientX: x, clientY: y, target }) {
        // A second finger zooms.
        end();
        wasDragged.current = false;
        if (button !== 0 || !isPrimary) return;
        const pressed = target as Element;
        const held = pressed.closest<HTMLElement>('[data-grab], [data-free], button');
        const id = held?.dataset.grab ?? null;
        if (held && id === null && held.dataset.free === undefined) return;
        const edge = (pressed.closest<HTMLElement>('[data-edge]')?.dataset.edge ?? null) as Edge | null;
        at.current = { x, y };
        origin.current = { x, y, from: pointAt({ x, y }), id, edge };
        if (pointerType === 'touch')
          origin.current.hold = window.setTimeout(() => begin(pointerId, { x, y }), holdMs);
      },
      onPointerMove({ pointerType, pointerId, clientX: x, clientY: y }) {
        if (!origin.current) return;
        at.current = { x, y };
        if (wasDragged.current) setDrag(dragTo({ x, y }));
        else if (Math.hypot(x - origin.current.x, y - origin.current.y) < threshold) return;
        else if (pointerType === 'touch') end();
        else begin(pointerId, { x, y });
      },
      onPointerUp({ clientX: x, clientY: y }) {
        const done = wasDragged.current ? dragTo({ x, y }) : null;
        end();
        if (!done || !isMoved(done)) return;
        if (done.id === null) onSpan(done.span);
        else onChange(done.id, done.span);
      },
      onPointerCancel: end,
      onContextMenu(event) {
        // A resting finger asks for it.
        if (wasDragged.current && origin.current) event.preventDefault();
      },
      onClickCapture(event) {
        // Browsers may click what lies under the end of a drag. Keys and screen readers click with `detail` 0.
        if (wasDragged.current && event.detail > 0) event.stopPropagation();
        wasDragged.current = false;
      },
    },
  };
}

/** In pixels from the window's top and bottom, where bars cover the page. */
const edge = 96;
/** Pixels scrolled per frame, for each pixel inside the edge. */
const pace = 1 / 6;

interface Pointer {
  x: number;
  y: number;
}

/** Scrolls the page while a drag is held near the window's top or bottom, if it moved that way. `onScroll` runs after each step. */
function useEdgeScroll(
  isDragging: boolean,
  { from, at }: { from: RefObject<Pointer | null>; at: RefObject<Pointer | null> },
  onScroll: () => void,
): void {
  const scroll = useEffectEvent(() => {
    const [start, { y }] = [from.current?.y ?? 0, at.current ?? { y: innerHeight / 2 }];
    const above = y < start ? Math.min(y - edge, 0) : 0;
    const below = y > start ? Math.max(y - (innerHeight - edge), 0) : 0;
    if (above + below === 0) return;
    window.scrollBy(0, (above + below) * pace);
    onScroll();
  });
  useEffect(() => {
    if (!isDragging) return;
    let frame = requestAnimationFrame(function step() {
      scroll();
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isDragging]);
}
