import type { Location } from 'react-router';

interface Guard {
  covers: (from: Location, to: Location) => boolean;
  ask: () => Promise<boolean>;
  /** Asks nothing more. */
  left?: boolean;
}

export const guards = new Set<Guard>();

/**
 * Runs an action that ends the page without navigating, such as signing out. Resolves to false if it fails or the
 * person stays.
 */
export async function leave(act: () => Promise<boolean>): Promise<boolean> {
  const asking = [...guards];
  const left = (await agreed(asking)) && (await act());
  for (const guard of asking) guard.left = left;
  return left;
}

/** Asks before `leave` and covered navigation. Returns a release function. */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard);
  return () => void guards.delete(guard);
}

export async function agreed(asking: readonly Guard[]): Promise<boolean> {
  for (const guard of asking) if (!(await guard.ask())) return false;
  return true;
}
