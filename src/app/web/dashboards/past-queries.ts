import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import type { api } from '#/web/api.tsx';
import { day, iso, year } from './days.ts';

const beginning = '2000-01-01T00:00:00Z';
const pastPage = 10;

interface Beyond {
  lastStart: string;
  lastId: string;
}

/** Sessions before a moment, latest first. */
export function pastQuery(appointments: typeof api.appointments, before: number) {
  return appointments.mine.infiniteOptions({
    input: (beyond: Beyond | undefined) => ({
      from: beginning,
      to: iso(before),
      order: 'descending' as const,
      limit: pastPage,
      ...beyond,
    }),
    initialPageParam: undefined as Beyond | undefined,
    getNextPageParam: (page) => {
      const last = page.length < pastPage ? undefined : page.at(-1);
      return last && { lastStart: last.startsAt, lastId: last.id };
    },
  });
}

/** Spans of the client's reviews for these pages. */
export function reviewSpans(pages: readonly AppointmentView[][], opened: number) {
  const spans = pages.flatMap((page) => {
    const [latest, earliest] = [page[0], page.at(-1)];
    return latest && earliest ? [{ from: earliest.startsAt, to: iso(Date.parse(latest.startsAt) + 1) }] : [];
  });
  // Sessions running at page open are on no page, and may be completed since.
  if (pages.length > 0) spans.push({ from: iso(opened - day), to: iso(opened + year) });
  return spans;
}
