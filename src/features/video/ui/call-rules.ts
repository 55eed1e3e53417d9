/** Whether calls can go through a relay: one of the servers is a TURN server (RFC 7065). */
export function hasRelay(servers: readonly { urls: readonly string[] }[]): boolean {
  return servers.some(({ urls }) => urls.some((url) => /^turns?:/i.test(url)));
}

/**
 * The ways that a call may take. Whoever hides their network address is never connected directly, not even where there is
 * no relay any more: a call that can't be had is seen, and a shown address isn't.
 */
export function transportPolicy(hidesAddress: boolean): RTCIceTransportPolicy {
  return hidesAddress ? 'relay' : 'all';
}

/** How well a line carries a call, in the words that people read. */
export type Quality = 'good' | 'unsteady' | 'poor';

/** What was measured on a line lately; null for what isn't known yet. */
export interface Measure {
  /** There and back, in milliseconds. */
  roundTrip: number | null;
  /** The share of packets that never came, from 0 to 1. */
  lost: number | null;
}

const qualities: readonly Quality[] = ['good', 'unsteady', 'poor'];

/** How well a line carries by one measure alone. */
function qualityOf({ roundTrip, lost }: Measure): Quality {
  if ((roundTrip ?? 0) > 800 || (lost ?? 0) > 0.12) return 'poor';
  if ((roundTrip ?? 0) > 400 || (lost ?? 0) > 0.04) return 'unsteady';
  return 'good';
}

/** A line's quality as it is told, and how many measures in a row have spoken for another one. */
export interface Grade {
  quality: Quality;
  streak: number;
}

/** How many measures in a row make a line's quality worse, and better: words that change all the time say nothing. */
const worseAfter = 2;
const betterAfter = 4;

/** The quality after another measure. */
export function grade({ quality, streak }: Grade, measure: Measure): Grade {
  const seen = qualityOf(measure);
  if (seen === quality) return { quality, streak: 0 };
  const worse = qualities.indexOf(seen) > qualities.indexOf(quality);
  // A streak counts below zero while it leads to something better.
  const next = worse ? Math.max(streak, 0) + 1 : Math.min(streak, 0) - 1;
  if (next >= worseAfter || -next >= betterAfter) return { quality: seen, streak: 0 };
  return { quality, streak: next };
}

/** The worst of several, which is what a person notices. */
export function worstOf(seen: readonly Quality[]): Quality {
  return qualities.findLast((quality) => seen.includes(quality)) ?? 'good';
}

/** Who has the word, and when they were last heard (milliseconds of any one clock). */
export interface Speaker {
  id: string;
  heardAt: number;
}

/** A level from which on somebody speaks, of a scale from 0 to 1; breath and keyboards stay below. */
const speaking = 0.02;
/** Who pauses for so long still has the word, in milliseconds. */
const pause = 1_800;

/** Who has the word now: who had it keeps it until they have been silent for a while, then it is the loudest one's. */
export function whoSpeaks(
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

/** Of two browsers the one yields whose name comes first when both make an offer at once (WebRTC 1.0, perfect negotiation). */
export function isPolite(own: string, other: string): boolean {
  return own < other;
}

/** What a signal between two browsers says of their ends, so that neither takes up what was meant for an earlier one. */
export interface Ends {
  /** This end of the line. */
  own: string;
  /** The other one, as far as it was heard of. */
  other: string | null;
  /** The two have begun to agree on something. */
  begun: boolean;
}

/**
 * What a word from an end means for the line: it goes on (`same`), the other end is a new one while this one is still
 * fresh (`paired`), or the other end began anew and this one has to (`anew`).
 */
export function meeting({ other, begun }: Ends, from: string): 'same' | 'paired' | 'anew' {
  if (other === from) return 'same';
  return other !== null && begun ? 'anew' : 'paired';
}

/** How long somebody who isn't in the room's list any more is waited for, in milliseconds. */
const patience = 30_000;

/** Whether a line is given up: its peer has left the room's list, and it is silent or was waited for long enough. */
export function isGivenUp({
  absentFor,
  dead,
}: {
  /** How long the peer has been missing in the list, in milliseconds; null while it is in it. */
  absentFor: number | null;
  /** The other browser has closed the line. */
  dead: boolean;
}): boolean {
  return absentFor !== null && (dead || absentFor >= patience);
}

/** How long a line may try to come up before it is made anew, in milliseconds. */
const trial = 20_000;

/** Whether a line is made anew: it has been down for too long although its peer is in the room. */
export function isMadeAnew({ downFor, present }: { downFor: number | null; present: boolean }): boolean {
  return present && downFor !== null && downFor >= trial;
}

/** Which picture stands large: a screen that is shown, who speaks, who was large before, else the first of the others. */
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

/** What a browser does now, as it tells the others. */
export interface Doing {
  microphone: boolean;
  camera: boolean;
  screen: boolean;
  /** Would rather go on by phone. */
  phone: boolean;
}

/** What browsers say to each other past the server. */
export type Word = { kind: 'doing'; doing: Doing } | { kind: 'chat'; text: string } | { kind: 'bye' };

/** The longest line of the chat, in characters. */
export const longestLine = 2_000;

/** What another browser said; null where it makes no sense. Nothing that comes from it is trusted. */
export function readWord(text: unknown): Word | null {
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

/** A line of the chat as it may be sent and shown: without control characters, and those that turn the reading direction. */
export function cleanLine(text: string): string {
  return text
    .replace(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .slice(0, longestLine);
}

/** A signal between two browsers, as one sends it to the other through the server. */
export interface Signal {
  /** The page that sends it, whichever socket it has. */
  page: string;
  /** Its end of the line. */
  end: string;
  /** The end that it is meant for; null for a greeting, which is meant for whoever is there. */
  to: string | null;
  /** A greeting that wants one back. */
  greets?: boolean;
  /** It goes to a socket of which nothing is known yet: whoever has a line to the page already answers on that. */
  asks?: boolean;
  description?: RTCSessionDescriptionInit;
  candidates?: RTCIceCandidateInit[];
}

/** A signal that came through the server; null where it makes no sense. The browser itself judges what WebRTC says in it. */
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
