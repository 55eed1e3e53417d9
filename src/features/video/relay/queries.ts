import { createHmac } from 'node:crypto';
import type { RelayConfig } from '#/platform/config.ts';
import type { Ctx } from '#/platform/context.ts';
import { turnCredential } from '#/platform/turn.ts';
import type { IceServers } from '../contract.ts';
import { requireOpenRoom } from '../policies.ts';

/** Maximum credential lifetime in milliseconds. */
const longestMs = 6 * 3_600_000;

/** Returns STUN and TURN servers for an open room, with credentials for the actor that expire when it closes. */
export async function iceServersOf(
  ctx: Ctx,
  { stunUrls, turn }: RelayConfig,
  appointmentId: string,
): Promise<IceServers> {
  const { partaker, closes } = await requireOpenRoom(ctx, appointmentId);
  const servers: IceServers = stunUrls.length > 0 ? [{ urls: [...stunUrls] }] : [];
  if (!turn) return servers;
  const until = Temporal.Instant.fromEpochMilliseconds(
    Math.min(closes, ctx.now().epochMilliseconds + longestMs),
  );
  const name = nameless(turn.secret, `${appointmentId} ${partaker.personId}`);
  return [...servers, { urls: [...turn.urls], ...turnCredential(turn.secret, { until, name }) }];
}

/** Pseudonym: the relay can tell people in one room apart, but not identify them. */
function nameless(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, 24);
}
