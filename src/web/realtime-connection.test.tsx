import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openConnection, type RealtimeConnection } from './realtime-connection.ts';

/** A mock WebSocket; each one is recorded when opened. */
class Line extends EventTarget {
  static readonly OPEN = 1;
  readonly said: string[] = [];
  readonly since: string | null;
  readyState = 0;

  constructor(url: URL) {
    super();
    this.since = url.searchParams.get('since');
    lines.push(this);
  }
  stand(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  send(text: string): void {
    this.said.push(text);
  }
  receive(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }
  close(code = 1000): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.dispatchEvent(new CloseEvent('close', { code }));
  }
}

const lines: Line[] = [];
const beat = '{"type":"beat"}';
const received: string[] = [];
let missed = 0;

let connection: RealtimeConnection;
let stops: (() => void)[];

const listen = () =>
  stops.push(
    connection.subscribe(({ type }) => {
      if (type === 'missed') missed += 1;
      else received.push(type);
    }),
  );

beforeEach(() => {
  lines.length = 0;
  received.length = 0;
  missed = 0;
  stops = [];
  vi.stubGlobal('WebSocket', Line);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  connection = openConnection(1_000);
  listen();
});

afterEach(() => {
  for (const stop of stops) stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('reports that messages may have been missed if the server says so, and after a reconnect', async () => {
  expect(lines[0]!.since).toBe('1000');
  lines[0]!.stand();
  listen();
  await vi.waitUntil(() => received.length === 2);
  expect(missed).toBe(0);
  lines[0]!.receive({ type: 'missed', id: '' });
  expect(missed).toBe(2);
  listen();
  await vi.waitUntil(() => received.length === 3);
  expect(missed, 'also by a screen that opens soon after').toBe(3);
  lines[0]!.close(1006);
  vi.advanceTimersByTime(1_000);
  expect(lines[1]!.since).toBeNull();
  lines[1]!.stand();
  expect(missed).toBe(6);
});

test('reconnects after 1, 2 and 5 seconds, then every 10', () => {
  lines[0]!.stand();
  lines[0]!.close(1006);
  for (const [at, wait] of [1_000, 2_000, 5_000, 10_000, 10_000].entries()) {
    vi.advanceTimersByTime(wait - 1);
    expect(lines.length, `before ${wait} ms have passed`).toBe(at + 1);
    vi.advanceTimersByTime(1);
    expect(lines.length, `after ${wait} ms`).toBe(at + 2);
    lines.at(-1)!.close(1006);
  }
  vi.advanceTimersByTime(10_000);
  lines.at(-1)!.stand();
  expect(received.filter((type) => type === 'connected')).toHaveLength(2);
  // Backoff restarts at one second after a successful connection.
  lines.at(-1)!.close(1006);
  vi.advanceTimersByTime(1_000);
  expect(lines).toHaveLength(8);
});

test('sends a heartbeat every 25 seconds and drops a silent connection', () => {
  const [line] = lines as [Line];
  line.stand();
  vi.advanceTimersByTime(24_999);
  expect(line.said).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(line.said).toEqual([beat]);
  line.receive({ type: 'beat', id: '' });
  vi.advanceTimersByTime(20_000);
  expect(received, 'after a beat that was answered').toEqual(['connected']);
  vi.advanceTimersByTime(5_000);
  expect(line.said).toEqual([beat, beat]);
  vi.advanceTimersByTime(9_999);
  expect(received, 'while an answer may still come').toEqual(['connected']);
  vi.advanceTimersByTime(1);
  expect(received).toEqual(['connected', 'lost']);
  vi.advanceTimersByTime(1_000);
  expect(lines).toHaveLength(2);
});

test('reconnects immediately when the network returns', () => {
  lines[0]!.stand();
  lines[0]!.close(1012);
  expect(lines).toHaveLength(1);
  window.dispatchEvent(new Event('online'));
  expect(lines).toHaveLength(2);
  // Open sockets get a heartbeat check.
  lines[1]!.stand();
  window.dispatchEvent(new Event('online'));
  expect(lines[1]!.said).toEqual([beat]);
});
