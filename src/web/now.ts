import { useEffect, useState } from 'react';

/** Milliseconds between clock updates. */
const tick = 30_000;

/** Returns the current time in epoch milliseconds; null on the server and before hydration. */
export function useNow(): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const take = () => setNow(Date.now());
    take();
    const timer = setInterval(take, tick);
    return () => clearInterval(timer);
  }, []);
  return now;
}
