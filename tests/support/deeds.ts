/// <reference types="vite/types/importMeta.d.ts" />
import type { Visitor } from './server.ts';
import type { Made, Stage } from './stage.ts';

/** One call that succeeds; what it leaves in the log, its contract says: who makes it, and what of the accepted input has to be another for it. */
export interface Deed {
  by: Visitor & { id?: string };
  input?: Readonly<Record<string, unknown>>;
  /** The id of what each entry is about, or of what the one entry is; unless told, of what the answer has. */
  about?: About | ((answer: Made) => Promise<About>);
  /** What has no number of its own is named in the details by this. */
  named?: string;
}

type About = string | null | readonly (string | null)[];

/** Each procedure's deed, by its name. */
export type Deeds = Readonly<Record<string, () => Promise<Deed>>>;

/** Bytes that are sent or fetched. */
interface Sending extends Deed {
  /** What it leaves in the log, as a contract's `writes`. */
  leaves?: readonly string[];
  query?: Readonly<Record<string, string>>;
  body?: Uint8Array;
}

/** By the path that takes or gives the bytes. */
export type Sendings = Readonly<Record<string, () => Promise<Sending>>>;

/** Acts, by the reason why the log doesn't say something of them; procedures, by what they tell or start. */
export type Told = Readonly<Record<string, readonly string[]>>;

/** What the rules of a procedure refuse, though its shape takes it: by procedure, then by field. */
export type Refused = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

/** What a feature's deeds.ts may have. */
interface DeedsFile {
  /** Every change, and what is asked for by another input than the example. */
  deeds?: (stage: Stage) => Deeds;
  sendings?: (stage: Stage) => Sendings;
  fetches?: (stage: Stage) => Sendings;
  /** Acts that stand in the log without the name of what they are about. */
  nameless?: Told;
  /** Changes of which the log keeps only that they were made. */
  unvalued?: Told;
  /** Changes by what they tell screens, and whom: `self` is who acts, `other` anybody else. `closed` ends their sockets. */
  tells?: Told;
  /** Changes by the jobs that they start. */
  starts?: Told;
  refused?: Refused;
}

const files = Object.values(import.meta.glob<DeedsFile>('/src/features/**/deeds.ts', { eager: true }));

/** Every feature's deeds on a stage. */
export function deedsOn(stage: Stage) {
  return {
    deeds: merged<Deeds>(files.map(({ deeds }) => deeds?.(stage))),
    sendings: merged<Sendings>(files.map(({ sendings }) => sendings?.(stage))),
    fetches: merged<Sendings>(files.map(({ fetches }) => fetches?.(stage))),
  };
}

const merged = <T extends object>(parts: readonly (T | undefined)[]) => Object.assign({}, ...parts) as T;

const actsOf = (told: readonly (Told | undefined)[]) =>
  new Set(told.flatMap((one) => Object.values(one ?? {}).flat()));

export const nameless: ReadonlySet<string> = actsOf(files.map((file) => file.nameless));
export const unvalued: ReadonlySet<string> = actsOf(files.map((file) => file.unvalued));
/** What each change tells screens, by its name. */
export const toldBy = linesByName(files.map((file) => file.tells));
/** The jobs that each change starts, by its name. */
export const startedBy = linesByName(files.map((file) => file.starts));

function linesByName(told: readonly (Told | undefined)[]): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const [line, names] of told.flatMap((one) => Object.entries(one ?? {})))
    for (const name of names) byName.set(name, [...(byName.get(name) ?? []), line].toSorted());
  return byName;
}

export const refusedByRules = merged<Refused>(files.map(({ refused }) => refused));
