import { useHydrated } from '#/web/hydrated.ts';
import type { Told } from '#/features/messaging/ui/message-times.ts';
import { dateIn } from '#/web/times.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { useNow } from '../dashboards/now.ts';

/** Returns the time zone and date for displaying messages; `rendered` is the server's date. */
export function useTold(rendered: string | null = null): Told {
  const timeZone = useOwnZone();
  const now = useNow();
  const hydrated = useHydrated();
  if (now !== null) return { timeZone, today: dateIn(now, timeZone) };
  return { timeZone, today: hydrated ? null : rendered };
}

/** Returns the local date, or null if the time zone is unknown to the server. */
export function todayIn(timeZone: string | null): string | null {
  try {
    return timeZone && dateIn(Date.now(), timeZone);
  } catch {
    // Time zone unknown to this runtime's older zone data.
    return null;
  }
}
