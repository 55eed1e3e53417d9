import { useQueryClient } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { failureText, type FailureTexts } from '#/web/failures.ts';
import { useRealtime } from '#/web/realtime.tsx';
import { useSpokenLine } from '#/web/spoken-line.ts';

export const careFailures: FailureTexts = {
  not_found: m.care_failed_gone,
  words_locked: m.words_locked_save,
  client_erased: m.care_failed_erased,
};

export function careFailureText(error: unknown, general: FailureTexts = {}): string {
  return failureText(error, { ...general, ...careFailures });
}

const changes: readonly string[] = ['booking.changed', 'care.sharing_changed', 'care.notes_changed'];

/** Refetches changes; returns an announcement for screen readers. */
export function useCareNews(): string {
  const queries = useQueryClient();
  const [news, setNews] = useSpokenLine();
  useRealtime(({ type }) => {
    if (!changes.includes(type) && type !== 'missed') return;
    void queries.invalidateQueries({ queryKey: api.care.key() });
    if (type === 'care.sharing_changed') setNews(m.care_updated());
  });
  return news;
}
