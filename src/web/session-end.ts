const mark = 'italk.session-ends';

/** Notes when the session on this device ends, as the server last said; null once it has ended. */
export function noteSessionEnd(secondsLeft: number | null): void {
  try {
    if (secondsLeft === null) localStorage.removeItem(mark);
    else localStorage.setItem(mark, String(Date.now() + secondsLeft * 1000));
  } catch {
    // Where storage is forbidden nothing is kept that would have to end.
  }
}

/** Whether the session on this device has ended, as far as can be told without the server; so it is where nobody noted its end. */
export function isSessionOver(): boolean {
  try {
    return Number(localStorage.getItem(mark)) <= Date.now();
  } catch {
    return true;
  }
}
