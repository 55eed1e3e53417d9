import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useSite } from '#/features/accounts/ui/session.tsx';
import type { FindChoices, Found } from '#/features/specialist-search/contract.ts';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { useKnownZone } from '#/web/own-zone.tsx';
import { FindFilters } from '#/features/specialist-search/ui/find-filters.tsx';
import {
  activeFilters,
  addressOf,
  findInputOf,
  pageFollows,
  queryOf,
  searchOf,
  without,
  type Search,
} from '#/features/specialist-search/ui/find-search.ts';
import { NextStartButtons, NextStartsProvider } from '#/features/specialist-search/ui/next-starts.tsx';
import { zoneText } from '#/web/times.ts';
import { SpecialistProfile } from '#/features/providers/ui/specialist-profile.tsx';
import { SpecialistReviews } from '#/features/reviews/ui/specialist-reviews.tsx';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { SendMessage } from '#/features/messaging/ui/send-message.tsx';

type Services = readonly { id: string; title: string }[];

/** Hours of lead time that make same-day or next-day sessions unlikely. */
const longNotice = 24;

export function Finder({
  services,
  choices,
  initial,
}: {
  services: Services;
  choices: FindChoices;
  initial: { asked: Record<string, string>; found: Found };
}) {
  const api = useApi();
  const hasVideo = useSite().flags.includes('video_sessions');
  const [params, setParams] = useSearchParams();
  const search = useMemo(
    () => searchOf(params, { serviceIds: services.map(({ id }) => id), hasVideo }),
    [params, services, hasVideo],
  );
  const heading = useRef<HTMLHeadingElement>(null);
  const asked = JSON.stringify(queryOf(search));
  const query = useQuery({
    ...api.specialistSearch.find.queryOptions({ input: findInputOf(search) }),
    ...(asked === JSON.stringify(initial.asked) ? { initialData: initial.found } : {}),
    placeholderData: keepPreviousData,
  });
  const found = query.data;
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
  const countText = found && !query.isPlaceholderData ? countOf(found) : '';

  return (
    <section aria-labelledby="found" aria-busy={query.isPlaceholderData || undefined}>
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
          <ZoneNamed />
        </div>
        {active.length > 0 && <ActiveFilters active={active} search={search} onFollow={focusHeading} />}
      </FindFilters>
      <h2 id="found" ref={heading} tabIndex={-1} className="sr-only outline-none">
        {m.finding_results()}
      </h2>
      {found === undefined ? (
        query.isError ? (
          <Notice
            tone="destructive"
            title={m.finding_failed()}
            action={
              <Button
                variant="secondary"
                size="sm"
                busy={query.isFetching}
                onClick={() => void query.refetch()}
              >
                {m.web_try_again()}
              </Button>
            }
          >
            {m.finding_failed_text()}
          </Notice>
        ) : (
          <Loading label={m.finding_loading()} className="mt-4 grid gap-3 md:gap-4">
            <Skeleton className="h-90 md:h-64" />
            <Skeleton className="h-90 md:h-64" />
          </Loading>
        )
      ) : found.specialists.length === 0 && !query.isPlaceholderData ? (
        <Nobody search={search} active={active} />
      ) : (
        <>
          <Specialists found={found} search={search} className="mt-4" />
          {found.more && pageFollows(search) && (
            <div className="mt-8 flex justify-center">
              <ButtonLink
                to={addressOf({ ...search, page: search.page + 1 })}
                replace
                preventScrollReset
                variant="secondary"
                aria-busy={query.isPlaceholderData || undefined}
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
  /** The pressed link disappears, so the focus must move. */
  onFollow: () => void;
}) {
  return (
    <ul aria-label={m.finding_active()} className="flex w-full flex-wrap items-center gap-2 sm:order-1">
      {active.map(({ filter, name, value }) => (
        <li key={filter}>
          <Link
            to={addressOf(without(search, filter))}
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

/** The server doesn't know the time zone. */
function ZoneNamed() {
  const zone = useKnownZone();
  return <p className="min-h-5 text-sm text-quiet">{zone && m.finding_zone({ zone: zoneText(zone) })}</p>;
}

function Specialists({
  found: { specialists },
  search,
  className,
}: {
  found: Found;
  search: Search;
  className: string;
}) {
  const { openBooking } = useBooking();
  const ids = useMemo(() => specialists.map(({ id }) => id), [specialists]);
  return (
    <NextStartsProvider providerIds={ids} search={search}>
      <div className={classes('grid gap-3 md:gap-4', className)}>
        {specialists.map((specialist) => (
          <SpecialistProfile
            key={specialist.id}
            specialist={specialist}
            availability={
              <NextStartButtons
                providerId={specialist.id}
                name={specialist.name}
                search={search}
                onBook={openBooking}
              />
            }
            reviews={
              specialist.reviewCount > 0 && (
                <SpecialistReviews providerId={specialist.id} name={specialist.name} />
              )
            }
            actions={
              <>
                <Button
                  size="sm"
                  onClick={() =>
                    openBooking({
                      providerId: specialist.id,
                      ...(search.care ? { serviceId: search.care } : {}),
                    })
                  }
                >
                  <span>
                    {m.site_book_session()}
                    <VisuallyHidden> {m.site_with_specialist({ name: specialist.name })}</VisuallyHidden>
                  </span>
                </Button>
                <SendMessage specialist={specialist} />
              </>
            }
          />
        ))}
      </div>
    </NextStartsProvider>
  );
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
              to={addressOf(without(search, filter))}
              variant="secondary"
              preventScrollReset
            >
              {m.finding_empty_without({ name, value })}
            </ButtonLink>
          ))}
          <ButtonLink to="/therapists/match" variant="quiet">
            {m.finding_empty_match()}
          </ButtonLink>
        </>
      }
    >
      <p>{m.finding_empty_text()}</p>
      {search.time === 'tomorrow' && hours >= longNotice && <p>{m.finding_empty_notice({ hours })}</p>}
    </EmptyState>
  );
}
