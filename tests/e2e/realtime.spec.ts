import type { WebSocketRoute } from '@playwright/test';
import { WebSocket } from 'ws';
import { expect, signIn, test } from './support/fixtures.ts';

test('a lost connection is tried again after 1, 2 and 5 seconds, then every 10', async ({ page }) => {
  await signIn(page, 'client');
  await page.clock.install();
  // A network on which the first socket opens and none after it: a browser can't be told to do that.
  await page.addInitScript(() => {
    const sockets: EventTarget[] = [];
    class LostSocket extends EventTarget {
      constructor() {
        super();
        sockets.push(this);
        const type = sockets.length === 1 ? 'open' : 'close';
        queueMicrotask(() => this.dispatchEvent(new CloseEvent(type, { code: 1006 })));
      }
      close(): void {
        this.dispatchEvent(new CloseEvent('close', { code: 1000 }));
      }
    }
    Object.assign(window, { WebSocket: LostSocket, sockets });
  });
  await page.goto('/home');
  const tries = () => page.evaluate(() => (window as unknown as { sockets: EventTarget[] }).sockets.length);
  await expect(page.getByRole('heading', { name: 'Upcoming Appointments', exact: true })).toBeVisible();
  await expect.poll(tries).toBe(1);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 5_000);
  await page.evaluate(() =>
    (window as unknown as { sockets: EventTarget[] }).sockets[0]!.dispatchEvent(
      new CloseEvent('close', { code: 1006 }),
    ),
  );
  for (const [at, wait] of [1_000, 2_000, 5_000, 10_000, 10_000].entries()) {
    await page.clock.runFor(wait - 1);
    expect(await tries(), `before ${wait} ms have passed`).toBe(at + 1);
    await page.clock.runFor(1);
    expect(await tries(), `after ${wait} ms`).toBe(at + 2);
  }
});

test('a line on which nothing comes any more is noticed, and tried again at once when the network is back', async ({
  page,
}) => {
  await signIn(page, 'client');
  await page.clock.install();
  const opened: WebSocketRoute[] = [];
  const beats: string[] = [];
  // A line that takes all and answers only the first beat, as when a network goes without a word.
  await page.routeWebSocket('**/realtime', (socket) => {
    opened.push(socket);
    socket.onMessage((text) => {
      if (text !== '{"type":"beat"}') return;
      if (beats.push(text) === 1) socket.send('{"type":"beat","id":""}');
    });
  });
  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'Upcoming Appointments', exact: true })).toBeVisible();
  await expect.poll(() => opened.length).toBe(1);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 5_000);
  // The line has stood for some seconds more than the clock is let run; from the first beat on they are counted.
  for (let second = 0; beats.length === 0 && second < 25; second += 1) await page.clock.runFor(1_000);
  await expect.poll(() => beats.length).toBe(1);
  await page.clock.runFor(20_000);
  expect(opened.length, 'after a beat that was answered').toBe(1);
  await page.clock.runFor(5_000);
  await expect.poll(() => beats.length).toBe(2);
  await page.clock.runFor(5_000);
  expect(opened.length, 'while an answer may still come').toBe(1);
  await page.clock.runFor(6_000);
  await expect.poll(() => opened.length).toBe(2);
  // Lost again, by the other side: the next try is a second away.
  await opened[1]!.close({ code: 1012 });
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('online')));
      return opened.length;
    })
    .toBe(3);
});

test('the server’s heart beats every 25 seconds', async ({ page, product }) => {
  test.setTimeout(90_000);
  await signIn(page, 'client');
  const cookie = (await page.context().cookies(product.url))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
  const socket = new WebSocket(`${product.url.replace('http', 'ws')}/realtime`, {
    headers: { cookie, origin: product.url },
  });
  const beats: number[] = [];
  socket.on('ping', () => beats.push(Date.now()));
  try {
    await expect.poll(() => beats.length, { timeout: 60_000 }).toBe(2);
    // Either may be told late on a machine that has other things to do.
    expect(Math.abs(beats[1]! - beats[0]! - 25_000)).toBeLessThan(2_500);
  } finally {
    socket.terminate();
  }
});
