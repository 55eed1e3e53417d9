type Act = () => Promise<boolean>;

let guard: ((act: Act) => Promise<boolean>) | null = null;

/**
 * Runs an action that ends the page without navigating, such as signing out. Resolves to false if it fails or the
 * person stays.
 */
export function leave(act: Act): Promise<boolean> {
  return guard ? guard(act) : act();
}

/** Asks before `leave`. Returns a release function. */
export function guardLeaving(asks: typeof leave): () => void {
  guard = asks;
  return () => {
    guard = null;
  };
}
