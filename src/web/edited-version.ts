import { useState } from 'react';

/** One's own saves don't count as another window's. */
export interface EditedVersion<V> {
  /** The stored version that a save replaces. */
  base: number;
  /** Whether another window has saved other values since. */
  isOutdated: boolean;
  /** Call before sending, since the answer can get lost. */
  sending: (values: V) => void;
  /** Continues from the given version. */
  follow: (version: number) => void;
}

/** `stored` are the latest known values, of `version`. */
export function useEditedVersion<V extends object>(version: number, stored: V): EditedVersion<V> {
  const [seen, follow] = useState(version);
  const [sent, setSent] = useState<readonly string[]>([]);
  const isNewer = version > seen;
  const isOwn = isNewer && sent.includes(wordsOf(stored));
  return {
    base: isOwn ? version : seen,
    isOutdated: isNewer && !isOwn,
    sending: (values) => setSent((before) => [...before, wordsOf(values)]),
    follow,
  };
}

/** The server trims text. */
function wordsOf(values: object): string {
  return JSON.stringify(values, (_, value: unknown) => (typeof value === 'string' ? value.trim() : value));
}
