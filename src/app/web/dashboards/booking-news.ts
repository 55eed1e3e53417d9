import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { bookingContract } from '#/features/booking/contract.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';

/** How long the line stands, in milliseconds: the same line later is read out again. */
const spoken = 4_000;

/** Fetches anew whatever is shown of bookings once one has changed anywhere; gives the line to read out then. */
export function useBookingNews(): string {
  const queries = useQueryClient();
  const api = useApi<{ booking: typeof bookingContract }>();
  const [news, setNews] = useState('');

  useRealtime(({ type }) => {
    if (type !== 'booking.changed' && type !== 'reconnected') return;
    void queries.invalidateQueries({ queryKey: api.booking.key() });
    if (type === 'booking.changed') setNews(m.home_updated());
  });

  useEffect(() => {
    if (!news) return;
    const timer = setTimeout(() => setNews(''), spoken);
    return () => clearTimeout(timer);
  }, [news]);

  return news;
}
