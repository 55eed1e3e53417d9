import { useEffect, useRef, useState } from 'react';

/** Search debounce in milliseconds. */
const typingPause = 250;
/** Shorter queries would match nearly everyone. */
export const shortestWords = 2;

/** Words to search for, once typing pauses. */
export function useSearchText() {
  const [words, setWords] = useState('');
  const soon = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(soon.current), []);
  const type = (text: string) => {
    clearTimeout(soon.current);
    soon.current = setTimeout(() => setWords(text.trim()), typingPause);
  };
  return { words, type };
}
