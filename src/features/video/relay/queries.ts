import { createHmac } from 'node:crypto';
import type { RelayConfig } from '#/platform/config.ts';
import type { Ctx } from '#/platform/context.ts';
import type { IceServers } from '../contract.ts';
import { openDoorOf } from '../queries.ts';

/** How long credentials are good for at most, in milliseconds. */
const longestMs = 6 * 3_600_000;

/** The STUN and TURN servers for a room that is open, with credentials of the person who acts that end when it closes. */
export async function iceServersOf(ctx: Ctx, relay: RelayConfig, appointmentId: string): Promise<IceServers> {
  const { partaker, closes } = await openDoorOf(ctx, appointmentId);
  const until = Math.min(closes, ctx.now().epochMilliseconds + longestMs);
  return [
    ...(relay.stunUrls.length > 0 ? [{ urls: [...relay.stunUrls] }] : []),
    ...(relay.turn
      ? [
          {
            urls: [...relay.turn.urls],
            ...turnCredential(relay.turn.secret, {
              until,
              name: opaque(relay.turn.secret, `${appointmentId} ${partaker.personId}`),
            }),
          },
        ]
      : []),
  ];
}

/**
 * A name that says until when it is good (epoch milliseconds), and the password that proves it, as coturn's
 * use-auth-secret takes them (draft-uberti-behave-turn-rest-00).
 */
export function turnCredential(secret: string, { until, name }: { until: number; name: string }) {
  const username = `${Math.floor(until / 1_000)}:${name}`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}

/** Tells the relay's logs nothing about who it is, but lets it tell people apart. */
function opaque(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, 24);
}
