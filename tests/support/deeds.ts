/// <reference types="vite/types/importMeta.d.ts" />
import type { Visitor } from './server.ts';
import type { Made, Stage } from './stage.ts';

/**
 * One successful call: its caller, plus input that differs from the accepted example. Its contract defines the audit
 * entries.
 */
export interface Deed {
  by: Visitor & { id?: string };
  input?: Readonly<Record<string, unknown>>;
  /** Ids of the audit entries' subjects; defaults to the id in the answer. */
  about?: About | ((answer: Made) => Promise<About>);
  named?: string;
}

type About = string | null | readonly (string | null)[];

export type Deeds = Readonly<Record<string, () => Promise<Deed>>>;

interface Sending extends Deed {
  /** Its audit actions, like a contract's `writes`. */
  leaves?: readonly string[];
  query?: Readonly<Record<string, string>>;
  body?: Uint8Array;
}

/** By upload or download path. */
export type Sendings = Readonly<Record<string, () => Promise<Sending>>>;

/** Audit actions by exemption reason, or procedures by the updates or jobs they cause. */
export type Told = Readonly<Record<string, readonly string[]>>;

/** Inputs valid by schema but rejected by business rules: by procedure, then by field. */
export type Refused = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

interface DeedsFile {
  /** Every change, plus reads whose input differs from the example. */
  deeds?: (stage: Stage) => Deeds;
  sendings?: (stage: Stage) => Sendings;
  fetches?: (stage: Stage) => Sendings;
  /** Audit actions whose entries don't name their subject. */
  nameless?: Told;
  /** Changes whose audit entries record no values. */
  unvalued?: Told;
  /**
   * Changes by screen update and recipient: `self` is the actor, `other` anyone else. `closed` closes their sockets.
   */
  tells?: Told;
  /** Changes by the jobs they enqueue. */
  starts?: Told;
  refused?: Refused;
}

const files = Object.values(import.meta.glob<DeedsFile>('/src/features/**/deeds.ts', { eager: true }));

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
export const toldBy = linesByName(files.map((file) => file.tells));
export const startedBy = linesByName(files.map((file) => file.starts));

function linesByName(told: readonly (Told | undefined)[]): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const [line, names] of told.flatMap((one) => Object.entries(one ?? {})))
    for (const name of names) byName.set(name, [...(byName.get(name) ?? []), line].toSorted());
  return byName;
}

export const refusedByRules = merged<Refused>(files.map(({ refused }) => refused));
