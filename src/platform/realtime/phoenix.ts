import { z } from 'zod';

/** Versions of the Phoenix protocol: messages are objects in the first and arrays in the second. */
export const phoenixVersions = ['1.0.0', '2.0.0'] as const;

export type PhoenixVersion = (typeof phoenixVersions)[number];

const ref = z.string().max(40).nullable().default(null);

const message = z.object({
  join_ref: ref,
  ref,
  topic: z.string().max(100),
  event: z.string().max(100),
  payload: z.unknown(),
});

export type PhoenixMessage = z.output<typeof message>;

const names = ['join_ref', 'ref', 'topic', 'event', 'payload'] as const;

/** Returns null for anything else. */
export function readPhoenix(text: string, version: PhoenixVersion): PhoenixMessage | null {
  const value = jsonOf(text);
  if (version === '1.0.0') return message.safeParse(value).data ?? null;
  if (!Array.isArray(value) || value.length !== names.length) return null;
  return message.safeParse(Object.fromEntries(names.map((name, at) => [name, value[at]]))).data ?? null;
}

export function writePhoenix(said: PhoenixMessage, version: PhoenixVersion): string {
  return JSON.stringify(version === '1.0.0' ? said : names.map((name) => said[name]));
}

const broadcastPush = 3;
const json = 1;

/**
 * Returns a binary broadcast as text of version 2, without payload unless that is JSON; empty for anything else. Seven
 * bytes hold the kind, the fields' lengths and the encoding.
 */
export function textOfBinary(bytes: Buffer): string {
  const [kind, ...lengths] = bytes.subarray(0, 6);
  if (kind !== broadcastPush) return '';
  let at = 7;
  const [joinRef, own, topic, event, metadata] = lengths.map((length) =>
    bytes.toString('utf8', at, (at += length)),
  );
  const payload = bytes[6] === json ? jsonOf(bytes.toString('utf8', at)) : null;
  const others = metadata ? jsonOf(metadata) : {};
  const said = { ...(others as object | null), type: 'broadcast', event, payload };
  return JSON.stringify([joinRef || null, own || null, topic, 'broadcast', said]);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
