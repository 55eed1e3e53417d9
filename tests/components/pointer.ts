import { cdp, type Locator } from 'vitest/browser';

interface Point {
  x: number;
  y: number;
}

/** The middle of an element, moved down by some pixels, in the window around the test's frame. */
function pointOf(place: Locator, down: number): Point {
  const frame = window.frameElement!.getBoundingClientRect();
  const box = place.element().getBoundingClientRect();
  return {
    x: Math.round(frame.left + box.left + box.width / 2),
    y: Math.round(frame.top + box.top + box.height / 2 + down),
  };
}

/** Presses the mouse button on an element; the answer moves and releases it. */
export async function pressMouse(place: Locator, down = 0) {
  let point = pointOf(place, down);
  const send = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', buttons: number) =>
    cdp().send('Input.dispatchMouseEvent', { type, ...point, button: 'left', buttons, clickCount: 1 });
  await send('mouseMoved', 0);
  await send('mousePressed', 1);
  return {
    async moveTo(next: Locator, further = 0) {
      point = pointOf(next, further);
      await send('mouseMoved', 1);
    },
    release: () => send('mouseReleased', 0),
  };
}

/** Puts a finger on an element; the answer moves it, adds another and lifts them. */
export async function touch(place: Locator, down = 0) {
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    cdp().send('Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', [pointOf(place, down)]);
  return {
    moveTo: (next: Locator, further = 0) => send('touchMove', [pointOf(next, further)]),
    join: (other: Locator) => send('touchStart', [pointOf(place, down), pointOf(other, 0)]),
    lift: () => send('touchEnd', []),
  };
}
