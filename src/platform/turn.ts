import { createHmac } from 'node:crypto';

export interface TurnCredential {
  username: string;
  credential: string;
}

/**
 * Returns time-limited TURN credentials, as coturn's use-auth-secret expects (draft-uberti-behave-turn-rest-00, section
 * 2.2). The username contains the expiry in whole seconds.
 */
export function turnCredential(
  secret: string,
  who: { until: Temporal.Instant; name: string },
): TurnCredential {
  const username = `${Math.floor(who.until.epochMilliseconds / 1_000)}:${who.name}`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}
