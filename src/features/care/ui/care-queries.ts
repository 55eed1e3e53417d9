import { api } from '#/web/api.tsx';
import type { ClientOrder } from '../clients/contract.ts';
import { useQueryClient } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { failureText, type FailureTexts } from '#/web/failures.ts';
import { useRealtime } from '#/web/realtime.tsx';
import { useSpokenLine } from '#/web/spoken-line.ts';

export const careFailures: FailureTexts = {
  not_found: m.web_gone,
  words_locked: m.words_locked_save,
  client_erased: m.care_failed_erased,
  changed_meanwhile: m.web_elsewhere,
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

type CareApi = typeof api.care;

const clientsPage = 25;
const sessionsPage = 10;
const notesPage = 10;
const counsellorsPage = 20;

export function clientsQuery(care: CareApi, wish: { search: string; order: ClientOrder }) {
  return care.clients.list.infiniteOptions({
    input: (offset: number) => ({ ...wish, limit: clientsPage, offset }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.more ? pages.length * clientsPage : undefined),
  });
}

export function clientQuery(care: CareApi, clientId: string) {
  return care.clients.get.queryOptions({ input: { clientId } });
}

export function sessionsQuery(care: CareApi, clientId: string, part: 'to_come' | 'past') {
  return care.clients.sessions.infiniteOptions({
    input: (offset: number) => ({ clientId, part, limit: sessionsPage, offset }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.more ? pages.length * sessionsPage : undefined),
  });
}

export function notesQuery(care: CareApi, kind: 'notes' | 'privateNotes', clientId: string) {
  return care[kind].list.infiniteOptions({
    input: (offset: number) => ({ clientId, limit: notesPage, offset }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.more ? pages.length * notesPage : undefined),
  });
}

export function sharingQuery(care: CareApi) {
  return care.sharing.list.infiniteOptions({
    input: (offset: number) => ({ limit: counsellorsPage, offset }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.more ? pages.length * counsellorsPage : undefined),
  });
}
