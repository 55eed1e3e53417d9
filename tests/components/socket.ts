/** Mock of the page's `/realtime` socket; tests speak as the server. */
class TestSocket extends EventTarget {
  static readonly OPEN = 1;
  readonly url: string;
  readyState = 0;

  constructor(url: string | URL) {
    super();
    this.url = String(url);
    sockets.add(this);
    queueMicrotask(() => {
      this.readyState = 1;
      this.dispatchEvent(new Event('open'));
      if (new URL(this.url).searchParams.has('since'))
        this.dispatchEvent(new MessageEvent('message', { data: '{"type":"missed","id":""}' }));
    });
  }

  send(text: string): void {
    const frame = JSON.parse(text) as { type: string };
    sentFrames.push(frame);
    if (frame.type === 'beat') this.dispatchEvent(new MessageEvent('message', { data: text }));
  }

  close(code = 1000): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    sockets.delete(this);
    this.dispatchEvent(new CloseEvent('close', { code }));
  }
}

const sockets = new Set<TestSocket>();
/** The page's messages to the server. */
export const sentFrames: { type: string }[] = [];

const RealWebSocket = window.WebSocket;

// Vitest needs its own real WebSocket.
window.WebSocket = new Proxy(RealWebSocket, {
  construct: (target, [url, protocols]: [string | URL, string | string[] | undefined]) =>
    new URL(url, window.location.href).pathname === '/realtime'
      ? new TestSocket(url)
      : new target(url, protocols),
});

/** Sends the page a server message. */
export function tellPage(message: { type: string; id?: string; data?: unknown }): void {
  const data = JSON.stringify({ id: '', ...message });
  for (const socket of sockets) socket.dispatchEvent(new MessageEvent('message', { data }));
}

export function closeSockets(): void {
  for (const socket of sockets) socket.close();
  sentFrames.length = 0;
}
