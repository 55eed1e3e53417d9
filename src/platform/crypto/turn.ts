import { createHmac } from 'node:crypto';

/** What a browser shows a TURN server. */
export interface TurnCredential {
  username: string;
  credential: string;
}

/**
 * A name that says until when it is good, in whole seconds, and the password that proves it, as coturn's use-auth-secret
 * takes them (draft-uberti-behave-turn-rest-00, section 2.2).
 */
export function turnCredential(
  secret: string,
  who: { until: Temporal.Instant; name: string },
): TurnCredential {
  const username = `${Math.floor(who.until.epochMilliseconds / 1_000)}:${who.name}`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}
