import { X } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { Link, useNavigation, useRevalidator, useSearchParams } from 'react-router';
import { useSite } from '#/features/accounts/ui/session.tsx';
import type { FindChoices, Found, NextStarts } from '#/features/specialist-search/contract.ts';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { FindFilters } from '#/features/specialist-search/ui/find-filters.tsx';
import {
  activeFilters,
  addressOf,
  pageFollows,
  pageSize,
  queryOf,
  searchOf,
  withoutFilter,
  type Search,
} from '#/features/specialist-search/ui/find-search.ts';
import { NextStartButtons } from '#/features/specialist-search/ui/next-starts.tsx';
import { ZoneNamed } from '#/features/specialist-search/ui/shown-zone.tsx';
import { DirectoryCard } from '#/features/providers/ui/directory-card.tsx';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { TryAgain } from '#/web/components/fetched.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { SendMessage } from '#/features/messaging/ui/send-message.tsx';
import { useFreshTimes } from './fresh-times.ts';

type Services = readonly { id: string; title: string }[];

/** Hours of lead time that make same-day or next-day sessions unlikely. */
const longNotice = 24;

export function Finder({
  services,
  choices,
  found,
  starts,
}: {
  services: Services;
  choices: FindChoices;
  /** Null if the search failed. */
  found: Found | null;
  starts: readonly NextStarts[];
}) {
  const hasVideo = useSite().flags.includes('video_sessions');
  const [params, setParams] = useSearchParams();
  const { location: next } = useNavigation();
  const { revalidate, state } = useRevalidator();
  const search = useMemo(
    () => searchOf(params, { serviceIds: services.map(({ id }) => id), hasVideo }),
    [params, services, hasVideo],
  );
  const heading = useRef<HTMLHeadingElement>(null);
  const searching = next?.pathname === '/therapists';
  const active = activeFilters(search, services);
  // Successive filter changes may outpace URL updates.
  const wanted = useRef(search);
  useEffect(() => {
    wanted.current = search;
  }, [search]);
  const change = (more: Partial<Search>) => {
    wanted.current = { ...wanted.current, ...more, page: 1 };
    setParams(queryOf(wanted.current), { preventScrollReset: true });
  };
  const focusHeading = () => heading.current?.focus({ preventScroll: true });
  const countText = found && !searching ? countOf(found) : '';
  useFreshTimes(starts);

  return (
    <section aria-labelledby="found" aria-busy={searching || undefined}>
      <FindFilters
        search={search}
        services={services}
        choices={choices}
        hasVideo={hasVideo}
        countText={countText}
        onChange={change}
      >
        <div className="flex w-full flex-wrap items-baseline gap-x-3 sm:w-auto sm:grow">
          <p role="status" className="min-h-6 font-semibold">
            {countText}
          </p>
          <ZoneNamed className="min-h-5 text-sm text-quiet" />
        </div>
        {active.length > 0 && <ActiveFilters active={active} search={search} onFollow={focusHeading} />}
      </FindFilters>
      <h2 id="found" ref={heading} tabIndex={-1} className="sr-only">
        {m.finding_results()}
      </h2>
      {found === null ? (
        <Notice
          tone="destructive"
          title={m.finding_failed()}
          action={<TryAgain query={{ isFetching: state === 'loading', refetch: revalidate }} />}
        />
      ) : found.specialists.length === 0 ? (
        <Nobody search={search} active={active} />
      ) : (
        <>
          <Specialists found={found} starts={starts} search={search} />
          {found.more && pageFollows(search) && (
            <div className="mt-8 flex justify-center">
              <ButtonLink
                to={`${addressOf({ ...search, page: search.page + 1 })}#${pageId(search.page + 1)}`}
                replace
                variant="secondary"
                aria-busy={searching || undefined}
              >
                {m.web_show_more()}
              </ButtonLink>
            </div>
          )}
          {found.more && !pageFollows(search) && (
            <p className="mt-8 text-center text-quiet">
              {m.finding_limit({ count: found.specialists.length })}
            </p>
          )}
        </>
      )}
    </section>
  );
}

function ActiveFilters({
  active,
  search,
  onFollow,
}: {
  active: ReturnType<typeof activeFilters>;
  search: Search;
  /** The pressed link disappears: focus must move. */
  onFollow: () => void;
}) {
  return (
    <ul aria-label={m.finding_active()} className="flex w-full flex-wrap items-center gap-2 sm:order-1">
      {active.map(({ filter, name, value }) => (
        <li key={filter}>
          <Link
            to={addressOf(withoutFilter(search, filter))}
            preventScrollReset
            onClick={onFollow}
            className="inline-flex min-h-11 items-center gap-1.5 rounded-full border border-control bg-card py-1.5 pr-3 pl-4 text-ink no-underline hover:bg-sunken"
          >
            <VisuallyHidden>{m.finding_remove({ name, value })}</VisuallyHidden>
            <span aria-hidden>{m.finding_chip({ name, value })}</span>
            <X aria-hidden className="size-4 shrink-0 text-quiet" />
          </Link>
        </li>
      ))}
      <li>
        <ButtonLink to="/therapists" variant="quiet" preventScrollReset onClick={onFollow}>
          {m.finding_clear()}
        </ButtonLink>
      </li>
    </ul>
  );
}

function countOf({ total, specialists }: Found): string {
  if (total === null) return m.finding_count_more({ count: specialists.length });
  return m.finding_count({ count: total });
}

const pageId = (page: number) => `page-${page}`;

function Specialists({
  found: { specialists },
  starts,
  search,
}: {
  found: Found;
  starts: readonly NextStarts[];
  search: Search;
}) {
  const { openBooking } = useBooking();
  const next = useMemo(() => new Map(starts.map((one) => [one.providerId, one])), [starts]);
  const pages = Array.from({ length: Math.ceil(specialists.length / pageSize) }, (_, page) =>
    specialists.slice(page * pageSize, (page + 1) * pageSize),
  );
  return pages.map((page, index) => (
    <div
      key={page[0]!.id}
      id={pageId(index + 1)}
      className={classes('grid scroll-mt-20 gap-3 md:gap-4', index === 0 ? 'mt-4' : 'mt-3 md:mt-4')}
    >
      {page.map((specialist) => (
        <DirectoryCard
          key={specialist.id}
          specialist={specialist}
          availability={
            <NextStartButtons
              next={next.get(specialist.id)}
              name={specialist.name}
              search={search}
              onBook={openBooking}
            />
          }
          actions={
            <>
              <Button
                about={m.web_with_name({ name: specialist.name })}
                size="sm"
                onClick={() =>
                  openBooking({
                    providerId: specialist.id,
                    ...(search.care ? { serviceId: search.care } : {}),
                  })
                }
              >
                {m.site_book_session()}
              </Button>
              <SendMessage specialist={specialist} />
            </>
          }
        />
      ))}
    </div>
  ));
}

function Nobody({ search, active }: { search: Search; active: ReturnType<typeof activeFilters> }) {
  const { bookingAdvanceNoticeHours: hours } = useSite();
  if (active.length === 0)
    return (
      <EmptyState
        as="h3"
        illustration={<TableIllustration />}
        title={m.landing_specialists_empty_title()}
        className="mt-6"
      >
        {m.landing_specialists_empty_text()}
      </EmptyState>
    );
  return (
    <EmptyState
      as="h3"
      illustration={<TableIllustration />}
      title={m.finding_empty_title()}
      className="mt-6"
      action={
        <>
          {active.map(({ filter, name, value }) => (
            <ButtonLink
              key={filter}
              to={addressOf(withoutFilter(search, filter))}
              variant="secondary"
              preventScrollReset
            >
              {m.finding_empty_without({ name, value })}
            </ButtonLink>
          ))}
          <ButtonLink to="/therapists/match" variant="quiet">
            {m.match_heading()}
          </ButtonLink>
        </>
      }
    >
      <p>{m.finding_empty_text()}</p>
      {search.time === 'tomorrow' && hours >= longNotice && <p>{m.finding_empty_notice({ hours })}</p>}
    </EmptyState>
  );
}
