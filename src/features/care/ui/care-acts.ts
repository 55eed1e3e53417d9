import { useQueryClient } from '@tanstack/react-query';
import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import { useSpokenLine } from '#/web/spoken-line.ts';

export function useCare() {
  return useApi().care;
}

export function failureText(error: unknown): string {
  if (!(error instanceof AppError)) return m.care_failed_unreachable();
  if (error.code === 'unauthenticated') return m.care_failed_signed_out();
  if (error.code === 'not_found') return m.care_failed_gone();
  if (error.reason === 'client_erased') return m.care_failed_erased();
  return error.code === 'rate_limited' ? m.care_failed_many() : m.care_failed_other();
}

const changes: readonly string[] = ['booking.changed', 'care.sharing_changed', 'care.notes_changed'];

/** Refetches changed care data and returns a screen reader announcement. */
export function useCareNews(): string {
  const care = useCare();
  const queries = useQueryClient();
  const [news, setNews] = useSpokenLine();
  useRealtime(({ type }) => {
    if (!changes.includes(type) && type !== 'connected') return;
    void queries.invalidateQueries({ queryKey: care.key() });
    if (type === 'care.sharing_changed') setNews(m.care_updated());
  });
  return news;
}
