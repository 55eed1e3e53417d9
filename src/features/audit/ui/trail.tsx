import { useInfiniteQuery } from '@tanstack/react-query';
import { formatInstant } from '#/kernel/date-text.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Section } from '#/web/components/card.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { mediumDateText } from '#/web/times.ts';
import type { LogEntry } from '../contract.ts';
import { actionText, detailsText } from '../log/rules.ts';
import { ActorName, EntryDetails } from './entry-links.tsx';

type Cursor = { beforeAt: string; beforeId: string } | undefined;

const page = 15;

/** The log's entries by or about one thing, newest first. The first id's name goes without saying. */
export function Trail({ title, about }: { title: string; about: readonly [string, ...string[]] }) {
  const list = useInfiniteQuery(
    api.audit.list.infiniteOptions({
      input: (beyond: Cursor) => ({ about: [...about], limit: page, ...beyond }),
      initialPageParam: undefined as Cursor,
      getNextPageParam: ({ more, entries }) => {
        const last = more ? entries.at(-1) : undefined;
        return last && { beforeAt: last.at, beforeId: last.id };
      },
    }),
  );
  return (
    <Section title={title} titleClassName="mb-1 text-lg" className="min-w-0">
      <FetchedList
        query={list}
        entries={list.data?.pages.flatMap((one) => one.entries)}
        failure={m.audit_failed_load()}
        skeleton={<Skeleton className="h-40" />}
        empty={<p className="py-2 text-quiet">{m.audit_none_title()}</p>}
      >
        {(entries) => (
          <ol className="border-t border-line">
            {entries.map((entry) => (
              <TrailEntry key={entry.id} entry={entry} self={about[0]} />
            ))}
          </ol>
        )}
      </FetchedList>
    </Section>
  );
}

function TrailEntry({ entry, self }: { entry: LogEntry; self: string }) {
  const { at, actor, action, subject, details, success } = entry;
  const zone = useOwnZone();
  const own = actor.id === self;
  const told = subject?.id === self ? { subject: null, details } : entry;
  return (
    <li className="grid gap-x-3 border-b border-line py-1.5 text-sm sm:grid-cols-[11.5rem_minmax(0,1fr)]">
      <time dateTime={at} className="text-quiet tabular-nums">
        {mediumDateText(at, zone)}, {/* Seconds, because order matters. */}
        {formatInstant(at, zone, { hour: 'numeric', minute: '2-digit', second: '2-digit' })}
      </time>
      <p className="min-w-0 wrap-anywhere">
        <span className="font-semibold">{actionText(action)}</span>
        {!own && (
          <>
            {' · '}
            <ActorName actor={actor} />
          </>
        )}
        {detailsText(told) && (
          <span className="text-quiet">
            {' · '}
            <EntryDetails entry={told} />
          </span>
        )}
        {!success && (
          <Badge tone="clay" className="ml-2">
            {m.audit_failed()}
          </Badge>
        )}
      </p>
    </li>
  );
}
