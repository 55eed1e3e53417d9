type Act = () => Promise<boolean>;

let guard: ((act: Act) => Promise<boolean>) | null = null;

/** Does what ends the page without leading to another, such as signing out; false where it fails, or the person stays. */
export function leave(act: Act): Promise<boolean> {
  return guard ? guard(act) : act();
}

/** Asks before what ends the page, until the answer is called. */
export function guardLeaving(asks: typeof leave): () => void {
  guard = asks;
  return () => {
    guard = null;
  };
}
