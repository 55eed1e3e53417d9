/** Lowercases and strips diacritics. */
function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** Returns a matcher for texts containing every word, ignoring case and diacritics. */
export function finder(words: string): (text: string) => boolean {
  const wanted = foldText(words).split(/\s+/).filter(Boolean);
  return (text) => {
    const all = foldText(text);
    return wanted.every((word) => all.includes(word));
  };
}

/** `at` is the sent time in epoch milliseconds. */
export interface Cursor {
  at: number;
  id: string;
}

export function writeCursor({ at, id }: Cursor): string {
  return `${at}~${id}`;
}

const cursorPattern = /^(\d{1,15})~([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/;

/** Parses a cursor; null if malformed. A forged cursor still reaches only the person's own messages. */
export function readCursor(given: string): Cursor | null {
  const [, at, id] = cursorPattern.exec(given) ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}
