/** Checks for a TURN server (RFC 7065). */
export function hasRelay(servers: readonly { urls: readonly string[] }[]): boolean {
  return servers.some(({ urls }) => urls.some((url) => /^turns?:/i.test(url)));
}

/**
 * People who hide their IP address connect only through a relay, even if none is left: a failed call is noticed, a
 * leaked address isn't.
 */
export function transportPolicy(hidesAddress: boolean): RTCIceTransportPolicy {
  return hidesAddress ? 'relay' : 'all';
}

export type Quality = 'good' | 'unsteady' | 'poor';

export interface Measure {
  /** In milliseconds. */
  roundTrip: number | null;
  /** Share of lost packets, from 0 to 1. */
  lost: number | null;
}

const qualities: readonly Quality[] = ['good', 'unsteady', 'poor'];

function qualityOf({ roundTrip, lost }: Measure): Quality {
  if ((roundTrip ?? 0) > 800 || (lost ?? 0) > 0.12) return 'poor';
  if ((roundTrip ?? 0) > 400 || (lost ?? 0) > 0.04) return 'unsteady';
  return 'good';
}

/** `streak` counts consecutive measurements that disagree with `quality`. */
export interface Grade {
  quality: Quality;
  streak: number;
}

/** Consecutive measurements needed for a change; damps flicker. */
const worseAfter = 2;
const betterAfter = 4;

export function gradeConnection({ quality, streak }: Grade, measure: Measure): Grade {
  const seen = qualityOf(measure);
  if (seen === quality) return { quality, streak: 0 };
  const worse = qualities.indexOf(seen) > qualities.indexOf(quality);
  // Negative while quality improves.
  const next = worse ? Math.max(streak, 0) + 1 : Math.min(streak, 0) - 1;
  if (next >= worseAfter || -next >= betterAfter) return { quality: seen, streak: 0 };
  return { quality, streak: next };
}

export function worstQuality(seen: readonly Quality[]): Quality {
  return qualities.findLast((quality) => seen.includes(quality)) ?? 'good';
}

/** `heardAt` is in milliseconds of any consistent clock. */
export interface Speaker {
  id: string;
  heardAt: number;
}

/** From 0 to 1, above breathing and typing. */
const speaking = 0.02;
/** Milliseconds of silence before a speaker loses the floor; a louder one takes over after half. */
const pause = 1_800;

/** Returns the active speaker: the current one until a pause, then the loudest. */
export function activeSpeaker(
  before: Speaker | null,
  levels: ReadonlyMap<string, number>,
  now: number,
): Speaker | null {
  if (before && levels.has(before.id)) {
    if ((levels.get(before.id) ?? 0) >= speaking) return { id: before.id, heardAt: now };
    if (now - before.heardAt < pause / 2) return before;
  }
  const loudest = [...levels].toSorted(([, one], [, other]) => other - one)[0];
  if (loudest && loudest[1] >= speaking) return { id: loudest[0], heardAt: now };
  return before && levels.has(before.id) && now - before.heardAt < pause ? before : null;
}

/** The polite peer yields when both send offers at once (WebRTC 1.0, perfect negotiation). */
export function isPolite(own: string, other: string): boolean {
  return own < other;
}

/** Ids of both connection ends; signals for a replaced end are ignored. */
export interface Ends {
  own: string;
  /** Null until the first signal arrives. */
  other: string | null;
  begun: boolean;
}

/**
 * Classifies a signal's sender: the known end (`same`), a new end while this one is unused (`paired`), or a restarted
 * end, which requires a restart here (`restarted`).
 */
export function meeting({ other, begun }: Ends, from: string): 'same' | 'paired' | 'restarted' {
  if (other === from) return 'same';
  return other !== null && begun ? 'restarted' : 'paired';
}

/** Milliseconds to wait for a peer that left the room's list. */
const patience = 30_000;

/** True once the peer left the list and closed the connection or stayed away too long. */
export function isPeerGone({
  absentFor,
  dead,
}: {
  /** Milliseconds missing from the list; null if present. */
  absentFor: number | null;
  dead: boolean;
}): boolean {
  return absentFor !== null && (dead || absentFor >= patience);
}

/** Milliseconds a connection may stay down before replacement. */
const trial = 20_000;

/** True if the connection stays down while its peer is present. */
export function mustReplace({ downFor, present }: { downFor: number | null; present: boolean }): boolean {
  return present && downFor !== null && downFor >= trial;
}

/** Picks the large tile: shared screen, active speaker, previous large tile, then the first other. */
export function largestOf(
  tiles: readonly { id: string; screen: boolean; own: boolean }[],
  speaker: string | null,
  before: string | null,
): string | null {
  const others = tiles.filter(({ own, screen }) => !own || screen);
  return (
    others.find(({ screen }) => screen)?.id ??
    others.find(({ id }) => id === speaker)?.id ??
    others.find(({ id }) => id === before)?.id ??
    others[0]?.id ??
    tiles[0]?.id ??
    null
  );
}

export interface PeerState {
  microphone: boolean;
  camera: boolean;
  screen: boolean;
  /** Prefers to continue by phone. */
  phone: boolean;
}

/** Data channel messages, which bypass the server. */
export type PeerMessage =
  | { kind: 'doing'; doing: PeerState }
  | { kind: 'chat'; text: string }
  | { kind: 'bye' };

/** Chat message limit in characters. */
export const longestLine = 2_000;

/** Parses an untrusted data channel message; null if invalid. */
export function parsePeerMessage(text: unknown): PeerMessage | null {
  if (typeof text !== 'string' || text.length > 4 * longestLine) return null;
  const word = parsed(text);
  if (word?.kind === 'bye') return { kind: 'bye' };
  if (word?.kind === 'chat' && typeof word.text === 'string') {
    const line = cleanLine(word.text);
    return line ? { kind: 'chat', text: line } : null;
  }
  if (word?.kind !== 'doing' || !isRecord(word.doing)) return null;
  const { microphone, camera, screen, phone } = word.doing;
  return {
    kind: 'doing',
    doing: {
      microphone: microphone === true,
      camera: camera === true,
      screen: screen === true,
      phone: phone === true,
    },
  };
}

/** Removes control and bidirectional formatting characters and enforces the length limit. */
export function cleanLine(text: string): string {
  return text
    .replace(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .slice(0, longestLine);
}

/** A WebRTC signal, relayed by the server. */
export interface Signal {
  /** Page id; survives socket reconnects. */
  page: string;
  /** The sender's connection end. */
  end: string;
  /** The recipient's connection end; null for a greeting to any end. */
  to: string | null;
  /** Requests a greeting in return. */
  greets?: boolean;
  /** Sent to a socket whose page is unknown; pages already connected to the sender answer over that connection. */
  asks?: boolean;
  description?: RTCSessionDescriptionInit;
  candidates?: RTCIceCandidateInit[];
}

/** Parses a signal; null if invalid. The browser validates the WebRTC content itself. */
export function readSignal(value: unknown): Signal | null {
  if (!isRecord(value)) return null;
  const { page, end, to, greets, asks, description, candidates } = value;
  if (!isName(page) || !isName(end) || !(to === null || isName(to))) return null;
  return {
    page,
    end,
    to,
    greets: greets === true,
    asks: asks === true,
    ...(isRecord(description) ? { description: description as unknown as RTCSessionDescriptionInit } : {}),
    ...(Array.isArray(candidates) ? { candidates: candidates.filter(isRecord).slice(0, 50) } : {}),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 64;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
