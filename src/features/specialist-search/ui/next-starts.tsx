import { useQueries } from '@tanstack/react-query';
import { createContext, use, useMemo, type ReactNode } from 'react';
import { useOwnZone } from '#/web/own-zone.tsx';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import type { NextStarts } from '../contract.ts';
import type { BookingStart } from '#/features/appointments/ui/booking-start.ts';
import { pageSize, wishOf, type Search } from './find-search.ts';
import { shortDateText, timeText } from '#/web/times.ts';

const startsShown = 3;

interface Known {
  /** By provider id; missing while loading. */
  starts: ReadonlyMap<string, NextStarts>;
  failed: boolean;
}

const StartsContext = createContext<Known>({ starts: new Map(), failed: false });

/** One request for all listed specialists. Browser only: a cached page would show stale times. */
export function NextStartsProvider({
  providerIds,
  search,
  children,
}: {
  providerIds: readonly string[];
  search: Search;
  children: ReactNode;
}) {
  const api = useApi();
  const pages = useMemo(
    () =>
      Array.from({ length: Math.ceil(providerIds.length / pageSize) }, (_, page) =>
        providerIds.slice(page * pageSize, (page + 1) * pageSize),
      ),
    [providerIds],
  );
  const known = useQueries({
    queries: pages.map((ids) =>
      api.specialistSearch.nextStarts.queryOptions({
        input: { providerIds: ids.join(','), ...wishOf(search) },
      }),
    ),
    combine: (results): Known => ({
      starts: new Map(results.flatMap(({ data }) => data ?? []).map((next) => [next.providerId, next])),
      failed: results.some(({ isError }) => isError),
    }),
  });
  return <StartsContext value={known}>{children}</StartsContext>;
}

/** Reserves space while loading. */
export function NextStartButtons({
  providerId,
  name,
  search,
  onBook,
}: {
  providerId: string;
  name: string;
  search: Search;
  onBook: (start: BookingStart) => void;
}) {
  const { starts, failed } = use(StartsContext);
  const zone = useOwnZone();
  const next = starts.get(providerId);
  if (!next && failed) return <p className="min-h-14">{m.finding_next_failed()}</p>;
  if (!next)
    return (
      <Loading label={m.finding_next_loading()} className="grid min-h-14 grid-cols-3 gap-2">
        {Array.from({ length: startsShown }, (_, index) => (
          <Skeleton key={index} className="h-14" />
        ))}
        <noscript className="col-span-3">{m.finding_next_without_script()}</noscript>
      </Loading>
    );
  if (next.starts.length === 0) return <p className="min-h-14">{m.finding_next_none()}</p>;
  return (
    <ul className="grid min-h-14 grid-cols-3 gap-2">
      {next.starts.map((start) => {
        const when = { date: shortDateText(start, zone), time: timeText(start, zone) };
        return (
          <li key={start}>
            <Button
              variant="secondary"
              size="sm"
              className="h-full w-full px-1! font-normal! tabular-nums"
              onClick={() =>
                onBook({
                  providerId,
                  ...(search.care ? { serviceId: search.care } : {}),
                  startsAt: start,
                  durationMinutes: next.durationMinutes,
                  ...(search.type ? { sessionType: search.type } : {}),
                })
              }
            >
              <VisuallyHidden>{m.finding_book_start({ ...when, name })}</VisuallyHidden>
              <span aria-hidden>
                <time dateTime={start}>
                  {when.date} <span className="block font-semibold">{when.time}</span>
                </time>
              </span>
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
