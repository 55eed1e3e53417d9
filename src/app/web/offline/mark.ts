/** Says that there is something to erase, so that a guest's page needs neither the database nor its script to learn it. */
const mark = 'italk.kept';

/** Whether anything is kept on this device. */
export function isAnythingKept(): boolean {
  return remembered(mark) !== null;
}

/** Notes whether anything is kept on this device. */
export function noteKept(anything: boolean): void {
  if (anything) localStorage.setItem(mark, '1');
  else localStorage.removeItem(mark);
}

/** What this device remembers under a name; null for nothing. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // Where storage is forbidden nothing is kept.
    return null;
  }
}
