import { useEffect, useState } from 'react';

/** How often the moment is taken anew, in milliseconds. */
const tick = 30_000;

/** The moment in epoch milliseconds, kept up to date; null on the server and until the page has come to life. */
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
