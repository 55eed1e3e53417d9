import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Actor } from '#/kernel/actor.ts';
import type { Identity } from '#/features/accounts/endpoints/commands.ts';
import { requireSignedIn } from '#/features/accounts/program-caller/commands.ts';
import { accessMinutes } from '#/features/accounts/program-keys/rules.ts';
import { isOffered } from '#/features/accounts/program-sessions/queries.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Config } from '#/platform/config.ts';
import type { Ctx } from '#/platform/context.ts';
import { DatabaseDown, outageRetrySeconds } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { networkOf, trustedAddress } from '#/platform/http/address.ts';
import { answersAtOnce, limitConcurrency } from '#/platform/turns.ts';
import type { Log } from '#/platform/log.ts';
import type { Hub } from '#/platform/realtime/hub.ts';
import { phoenixVersions } from '#/platform/realtime/phoenix.ts';
import { closeSockets } from '#/platform/realtime/publish.ts';
import { speakerOf, handleFrame } from './frames.ts';
import { isClosed, retryAfterSeconds } from './maintenance.ts';
import { isOwnOrigin } from './origin.ts';
import type { PersonParts } from './program-person.ts';
import { programSocket } from './program-sockets.ts';
import type { ProgramParts } from './program-topics.ts';
import { logRefusal } from './refusals.ts';

/** Limits sockets without a token to those of five people per network. */
const peopleAtOnce = 5;

export interface SocketUpgrades extends ProgramParts {
  config: Config;
  hub: Hub;
  identity: Identity;
  log: Log;
  isInMaintenance(): boolean;
  contextOf(actor: Actor, address: string): Ctx;
}

/**
 * Returns the listener that turns requests for `/realtime` into sockets of signed-in people, and those for
 * `/realtime/v1/websocket` into sockets of programs. It returns false for other paths.
 */
export function socketUpgrades({
  config,
  hub,
  identity,
  log,
  frames,
  channels,
  isInMaintenance,
  contextOf,
}: SocketUpgrades): (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean {
  const inTurn = limitConcurrency(answersAtOnce);
  const addressOf = (request: IncomingMessage) =>
    trustedAddress(
      request.socket.remoteAddress ?? '',
      String(request.headers['x-forwarded-for'] ?? '') || null,
      config.trustedProxies,
    );

  async function refuseOtherSite(request: IncomingMessage, socket: Duplex): Promise<void> {
    const address = addressOf(request);
    const ctx = contextOf({ kind: 'guest' }, address);
    const refused = new AppError('forbidden', 'foreign_origin');
    await inTurn(networkOf(address), () => logRefusal(ctx, 'other_site', refused, {}));
    refuse(socket, '403 Forbidden');
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const headers = new Headers();
    if (request.headers.cookie) headers.set('cookie', request.headers.cookie);
    const ours = isOwnOrigin(request.headers.origin ?? null, request.headers.host ?? '', config.appUrl);
    const actor: Actor = ours ? await identity.actorOf(headers) : { kind: 'guest' };
    if (!ours) return refuseOtherSite(request, socket);
    if (actor.kind !== 'person') return refuse(socket, '401 Unauthorized');
    if (isInMaintenance() && isClosed(actor, '/realtime')) {
      socket.end(unavailable(retryAfterSeconds));
      return;
    }
    const address = addressOf(request);
    const context = () => contextOf(actor, address);
    const speaker = speakerOf(actor, () => identity.actorOfSession(actor.sessionId));
    hub.accept(request, socket, head, {
      personId: actor.id,
      topics: [`person:${actor.id}`, `session:${actor.sessionId}`, `role:${actor.role}`],
      since: sinceOf(request.url ?? ''),
      onFrame: (text, connection) => handleFrame(frames, text, { connection, context, log, speaker }),
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

  /** Ignores cookies: the first join message brings the access token. */
  async function upgradeProgram(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const address = addressOf(request);
    const { origin, host = '' } = request.headers;
    if (!(await isOffered(contextOf({ kind: 'guest' }, address)))) return refuse(socket, '404 Not Found');
    // Browsers send an Origin; pages of other sites are refused.
    if (origin !== undefined && !isOwnOrigin(origin, host, config.appUrl))
      return refuseOtherSite(request, socket);
    if (isInMaintenance()) {
      socket.end(unavailable(retryAfterSeconds));
      return;
    }
    const asked = URL.parse(request.url ?? '', config.appUrl)?.searchParams.get('vsn');
    const version = phoenixVersions.find((one) => one === asked);
    if (!version) return refuse(socket, '400 Bad Request');
    hub.accept(request, socket, head, {
      ...programSocket({
        frames,
        channels,
        version,
        log,
        contextOf: (actor) => contextOf(actor, address),
        verify: tokenVerifier({ identity, isInMaintenance, address }),
      }),
      personId: `network:${networkOf(address)}`,
      people: peopleAtOnce,
      topics: [],
      since: null,
      rateLimitFactor: config.rateLimitFactor,
    });
  }

  const ways = new Map([
    ['/realtime', upgrade],
    ['/realtime/v1/websocket', upgradeProgram],
  ]);
  return (request, socket, head) => {
    const way = ways.get(URL.parse(request.url ?? '', config.appUrl)?.pathname ?? '');
    way?.(request, socket, head).catch((error: unknown) => {
      log.error({ err: error }, 'a socket could not be opened');
      if (error instanceof DatabaseDown) socket.end(unavailable(outageRetrySeconds));
      else socket.destroy();
    });
    return way !== undefined;
  };
}

function tokenVerifier({
  identity,
  isInMaintenance,
  address,
}: Pick<SocketUpgrades, 'identity' | 'isInMaintenance'> & { address: string }): PersonParts['verify'] {
  return async (token, { noted }) => {
    const headers = new Headers({ authorization: `Bearer ${token}`, ...(noted ? {} : { 'x-idle': '' }) });
    const actor = requireSignedIn(await identity.callerOf(headers, address));
    if (isInMaintenance() && isClosed(actor, '/realtime/v1'))
      throw new AppError('unavailable', 'maintenance');
    return { actor, expires: (actor.issuedAt! + accessMinutes * 60) * 1_000 };
  };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}

/** When the page was rendered, from `?since=`; null if it doesn't say. */
function sinceOf(url: string): number | null {
  const since = new URL(url, 'http://localhost').searchParams.get('since');
  return since && /^\d{1,15}$/.test(since) ? Number(since) : null;
}

function unavailable(retrySeconds: number): string {
  return `HTTP/1.1 503 Service Unavailable\r\nRetry-After: ${retrySeconds}\r\nConnection: close\r\n\r\n`;
}
