import { useQueryClient } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { useRealtime } from '#/web/realtime.tsx';
import { useSpokenLine } from '#/web/spoken-line.ts';
import { refetchAppointments } from '#/features/appointments/ui/refetch-appointments.ts';

/** Refetches bookings after changes; returns the live region's text. */
export function useBookingNews(): string {
  const queries = useQueryClient();
  const [news, setNews] = useSpokenLine();

  useRealtime(({ type }) => {
    if (type !== 'booking.changed' && type !== 'missed') return;
    void refetchAppointments(queries);
    if (type === 'booking.changed') setNews(m.home_updated());
  });

  return news;
}
