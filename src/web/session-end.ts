const mark = 'italk.session-ends';

/** Stores the server-reported end of the sign-in session; null: ended. */
export function noteSessionEnd(secondsLeft: number | null): void {
  try {
    if (secondsLeft === null) localStorage.removeItem(mark);
    else localStorage.setItem(mark, String(Date.now() + secondsLeft * 1000));
  } catch {
    // Without storage, `isSessionOver` always returns true.
  }
}

/** Returns true if the session has expired or its expiry is unknown, without asking the server. */
export function isSessionOver(): boolean {
  try {
    return Number(localStorage.getItem(mark)) <= Date.now();
  } catch {
    return true;
  }
}
