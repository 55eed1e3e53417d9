import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Actor } from '#/kernel/actor.ts';
import type { Identity } from '#/features/accounts/endpoints/commands.ts';
import type { Config } from '#/platform/config.ts';
import type { Ctx } from '#/platform/context.ts';
import { DatabaseDown, outageRetrySeconds } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { trustedAddress } from '#/platform/http/address.ts';
import type { Log } from '#/platform/log.ts';
import type { Frame } from '#/platform/realtime/frames.ts';
import type { Hub } from '#/platform/realtime/hub.ts';
import { closeSockets } from '#/platform/realtime/publish.ts';
import { speakerOf, takeIn } from './frames.ts';
import { isShut, retryAfterSeconds } from './maintenance.ts';
import { isOwnOrigin } from './origin.ts';

export interface SocketUpgrades {
  config: Config;
  hub: Hub;
  identity: Identity;
  log: Log;
  frames: readonly Frame[];
  isInMaintenance(): boolean;
  contextOf(actor: Actor, address: string): Ctx;
}

/** Returns the listener that turns requests for `/realtime` into sockets of signed-in people. */
export function socketUpgrades({
  config,
  hub,
  identity,
  log,
  frames,
  isInMaintenance,
  contextOf,
}: SocketUpgrades): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const headers = new Headers();
    if (request.headers.cookie) headers.set('cookie', request.headers.cookie);
    const ours = isOwnOrigin(request.headers.origin ?? null, request.headers.host ?? '', config.appUrl);
    const actor: Actor = ours ? await identity.actorOf(headers) : { kind: 'guest' };
    if (actor.kind !== 'person') {
      socket.end(`HTTP/1.1 ${ours ? '401 Unauthorized' : '403 Forbidden'}\r\nConnection: close\r\n\r\n`);
      return;
    }
    if (isInMaintenance() && isShut(actor, '/realtime')) {
      socket.end(unavailable(retryAfterSeconds));
      return;
    }
    const address = trustedAddress(
      request.socket.remoteAddress ?? '',
      String(request.headers['x-forwarded-for'] ?? '') || null,
      config.trustedProxies,
    );
    const context = () => contextOf(actor, address);
    const speaker = speakerOf(actor, () => identity.actorOfSession(actor.sessionId));
    hub.accept(request, socket, head, {
      personId: actor.id,
      topics: [`person:${actor.id}`, `session:${actor.sessionId}`, `role:${actor.role}`],
      since: sinceOf(request.url ?? ''),
      hear: async (text, connection) => {
        const who = await speaker();
        return who === 'same' ? takeIn(frames, text, { connection, context, log }) : who;
      },
      context,
      rateLimitFactor: config.rateLimitFactor,
    });
    try {
      await closeIfSignedOut(actor, address);
    } catch (error) {
      // After the handshake, an HTTP response would be read as frames.
      socket.destroy();
      throw error;
    }
  }

  /** Closes the gap between the session check and socket registration: a sign-out could fall between. */
  async function closeIfSignedOut(actor: Extract<Actor, { kind: 'person' }>, address: string): Promise<void> {
    const still = await identity.actorOfSession(actor.sessionId);
    if (still.kind === 'person' && still.role === actor.role) return;
    await transact(contextOf({ kind: 'system' }, address), (tx) =>
      closeSockets(tx, `session:${actor.sessionId}`),
    );
  }

  return (request, socket, head) => {
    upgrade(request, socket, head).catch((error: unknown) => {
      log.error({ err: error }, 'a socket could not be opened');
      if (error instanceof DatabaseDown) socket.end(unavailable(outageRetrySeconds));
      else socket.destroy();
    });
  };
}

/** When the page was rendered, from `?since=`; null if it doesn't say. */
function sinceOf(url: string): number | null {
  const since = new URL(url, 'http://localhost').searchParams.get('since');
  return since && /^\d{1,15}$/.test(since) ? Number(since) : null;
}

function unavailable(retrySeconds: number): string {
  return `HTTP/1.1 503 Service Unavailable\r\nRetry-After: ${retrySeconds}\r\nConnection: close\r\n\r\n`;
}
