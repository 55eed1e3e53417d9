/** A text without the marks that its letters bear, in small letters. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** Finds the texts in which each of the words occurs, whatever case and marks its letters have. */
export function finder(words: string): (text: string) => boolean {
  const wanted = folded(words).split(/\s+/).filter(Boolean);
  return (text) => {
    const all = folded(text);
    return wanted.every((word) => all.includes(word));
  };
}

/** A message's place in the order of all of one's own: when it was sent, in epoch milliseconds, and its id. */
export interface Place {
  at: number;
  id: string;
}

/** A place as it is given out. */
export function cursorOf({ at, id }: Place): string {
  return `${at}~${id}`;
}

const cursor = /^(\d{1,15})~([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/;

/** The place that a cursor names; null for what isn't one. Whoever makes one up gets no further than their own messages. */
export function placeOf(given: string): Place | null {
  const [, at, id] = cursor.exec(given) ?? [];
  return at === undefined || id === undefined ? null : { at: Number(at), id };
}
