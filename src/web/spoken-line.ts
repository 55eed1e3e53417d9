import { useEffect, useState } from 'react';

/** Display time in milliseconds. */
const spoken = 4_000;

/** Text for a live region, cleared after a delay so that repeats are announced again. */
export function useSpokenLine(): [string, (line: string) => void] {
  const [line, setLine] = useState('');
  useEffect(() => {
    if (!line) return;
    const timer = setTimeout(() => setLine(''), spoken);
    return () => clearTimeout(timer);
  }, [line]);
  return [line, setLine];
}
