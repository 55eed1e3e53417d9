import { useQuery } from '@tanstack/react-query';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { api } from '#/web/api.tsx';
import { useNow, useOpenedAt } from '#/web/now.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { upcomingSpan } from './days.ts';
import { live } from './live.ts';

export interface Shown {
  /** See `useOpenedAt`. */
  opened: number | null;
  /** Current epoch milliseconds; 0 until known. */
  now: number;
  timeZone: string;
}

export function useShown(): Shown {
  return { opened: useOpenedAt(), now: useNow() ?? 0, timeZone: useOwnZone() };
}

export function useUpcomingSessions(opened: number | null) {
  return useQuery({
    ...api.appointments.mine.queryOptions({ input: upcomingSpan(opened ?? 0) }),
    enabled: opened !== null,
    ...live,
  });
}

export function isUpcoming({ status, endsAt }: AppointmentView, now: number): boolean {
  return (status === 'pending' || status === 'confirmed') && Date.parse(endsAt) > now;
}
