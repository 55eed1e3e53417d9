/** Marks stored data, so guests' pages don't open IndexedDB or load its script. */
export const keptMark = 'italk.kept';

export function hasStoredData(): boolean {
  return storedValue(keptMark) !== null;
}

export function markStored(anything: boolean): void {
  if (anything) localStorage.setItem(keptMark, '1');
  else localStorage.removeItem(keptMark);
}

/** Null if absent or if storage is unavailable. */
export function storedValue(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // Storage is blocked, so nothing was stored.
    return null;
  }
}
