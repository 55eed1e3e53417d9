import { useHydrated } from '#/web/hydrated.ts';
import type { Told } from '#/features/messaging/ui/message-times.ts';
import { dayOf } from '#/features/messaging/ui/message-times.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { useNow } from '../dashboards/now.ts';

/** In which zone and on which day messages are told; `rendered` is the day by which the server told them. */
export function useTold(rendered: string | null = null): Told {
  const timeZone = useOwnZone();
  const now = useNow();
  const hydrated = useHydrated();
  if (now !== null) return { timeZone, today: dayOf(new Date(now).toISOString(), timeZone) };
  return { timeZone, today: hydrated ? null : rendered };
}

/** Which day it is for somebody, as far as the server knows their zone. */
export function todayIn(timeZone: string | null): string | null {
  try {
    return timeZone && dayOf(new Date().toISOString(), timeZone);
  } catch {
    // Stored by a runtime that knows more zones than this one.
    return null;
  }
}
