import { globSync } from 'node:fs';
import type { Visitor } from './server.ts';
import type { Made, Stage } from './stage.ts';

/**
 * One successful call: its caller, plus input that differs from the accepted example. Its contract defines the audit
 * entries.
 */
export interface Case {
  by: Visitor & { id?: string };
  input?: Readonly<Record<string, unknown>>;
  /** Ids of the audit entries' subjects; defaults to the id in the answer. */
  about?: About | ((answer: Made) => Promise<About>);
  named?: string;
}

type About = string | null | readonly (string | null)[];

export type Cases = Readonly<Record<string, () => Promise<Case>>>;

interface FileCase extends Case {
  /** Its audit actions, like a contract's `writes`. */
  leaves?: readonly string[];
  query?: Readonly<Record<string, string>>;
  body?: Uint8Array;
}

/** By upload or download path. */
export type FileCases = Readonly<Record<string, () => Promise<FileCase>>>;

/** Audit actions by exemption reason, or procedures by the updates or jobs they cause. */
export type NamesBy = Readonly<Record<string, readonly string[]>>;

/** Inputs valid by schema but rejected by business rules: by procedure, then by field. */
export type Refused = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

interface CasesFile {
  /** Every change, plus reads whose input differs from the example. */
  cases?: (stage: Stage) => Cases;
  uploadCases?: (stage: Stage) => FileCases;
  downloadCases?: (stage: Stage) => FileCases;
  /** Audit actions whose entries don't name their subject. */
  withoutSubject?: NamesBy;
  /** Changes whose audit entries record no values. */
  withoutValues?: NamesBy;
  /**
   * Changes by screen update and recipient: `self` is the actor, `other` anyone else. `closed` closes their sockets.
   */
  updates?: NamesBy;
  /** Changes by the jobs they enqueue. */
  jobs?: NamesBy;
  refused?: Refused;
}

const root = new URL('../../', import.meta.url);
const files: readonly CasesFile[] = await Promise.all(
  globSync('src/features/**/contract.test.cases.ts', { cwd: root }).map(
    (path) => import(new URL(path, root).href),
  ),
);

export function casesOn(stage: Stage) {
  return {
    cases: merged<Cases>(files.map(({ cases }) => cases?.(stage))),
    uploadCases: merged<FileCases>(files.map(({ uploadCases }) => uploadCases?.(stage))),
    downloadCases: merged<FileCases>(files.map(({ downloadCases }) => downloadCases?.(stage))),
  };
}

const merged = <T extends object>(parts: readonly (T | undefined)[]) => Object.assign({}, ...parts) as T;

const namesIn = (groups: readonly (NamesBy | undefined)[]) =>
  new Set(groups.flatMap((one) => Object.values(one ?? {}).flat()));

export const withoutSubject: ReadonlySet<string> = namesIn(files.map((file) => file.withoutSubject));
export const withoutValues: ReadonlySet<string> = namesIn(files.map((file) => file.withoutValues));
export const updatesOf = linesByName(files.map((file) => file.updates));
export const jobsOf = linesByName(files.map((file) => file.jobs));

function linesByName(groups: readonly (NamesBy | undefined)[]): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const [line, names] of groups.flatMap((one) => Object.entries(one ?? {})))
    for (const name of names) byName.set(name, [...(byName.get(name) ?? []), line].toSorted());
  return byName;
}

export const refusedByRules = merged<Refused>(files.map(({ refused }) => refused));
