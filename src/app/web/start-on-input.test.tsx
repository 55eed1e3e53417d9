import { expect, onTestFinished, test } from 'vitest';
import { startWhenWanted } from './start-on-input.ts';

/** A page whose end, with its own script, arrives later. */
function arrivingPage() {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  onTestFinished(() => frame.remove());
  const inside = frame.contentDocument!;
  const button = document.createElement('button');
  inside.body.append(script({ textContent: startWhenWanted }), button);
  return {
    inside,
    arrive: () => {
      inside.body.append(script({ type: 'deferred', textContent: 'document.title = "started"' }));
      inside.dispatchEvent(new Event('DOMContentLoaded'));
    },
    point: () => button.dispatchEvent(new PointerEvent('pointerover', { bubbles: true })),
  };

  function script(how: Partial<HTMLScriptElement>): HTMLScriptElement {
    return Object.assign(inside.createElement('script'), how);
  }
}

test('starts once the page is there if someone points at a button before', async () => {
  const { inside, point, arrive } = arrivingPage();
  point();
  arrive();
  await expect.poll(() => inside.title).toBe('started');
});

test('starts when someone points at a button, and not before', async () => {
  const { inside, point, arrive } = arrivingPage();
  arrive();
  // A module script that starts now would run by then.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  expect(inside.title).toBe('');
  point();
  await expect.poll(() => inside.title).toBe('started');
});
