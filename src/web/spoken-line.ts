import { useEffect, useState } from 'react';

/** How long the line stands, in milliseconds. */
const spoken = 4_000;

/** A line for a live region, empty again after a while: the same line later is then read out again. */
export function useSpokenLine(): [string, (line: string) => void] {
  const [line, setLine] = useState('');
  useEffect(() => {
    if (!line) return;
    const timer = setTimeout(() => setLine(''), spoken);
    return () => clearTimeout(timer);
  }, [line]);
  return [line, setLine];
}
