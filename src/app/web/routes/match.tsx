import { Link } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { DataProvider, api } from '#/web/api.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Container, SectionHeading, VisuallyHidden } from '#/web/components/page.tsx';
import { useSite } from '#/features/accounts/ui/session.tsx';
import {
  filtersOf,
  suggest,
  recommendedKind,
  type Answers,
  type Suggestion,
} from '#/features/specialist-search/match/rules.ts';
import type { NextStarts } from '#/features/specialist-search/contract.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { addressOf, findInputOf, type Search } from '#/features/specialist-search/ui/find-search.ts';
import { Crisis, MatchQuestions } from '#/features/specialist-search/ui/match-questions.tsx';
import { matchReasonText } from '#/features/specialist-search/ui/match-texts.ts';
import { NextStartButtons } from '#/features/specialist-search/ui/next-starts.tsx';
import { useNextStarts } from '#/features/specialist-search/ui/next-starts-query.ts';
import { zoneText } from '#/web/times.ts';
import { SpecialistHead } from '#/features/providers/ui/specialist-head.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { TryAgain } from '#/web/components/fetched.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';
import { pageMeta, siteHead } from '../page-meta.ts';
import { loadServices } from '../service-titles.ts';
import type { Route } from './+types/match.ts';

export const loader = loadServices;

export function meta({ matches }: Route.MetaArgs) {
  const head = siteHead(matches);
  return pageMeta(head, {
    title: m.match_meta_title({ site: head.site.siteName }),
    description: m.match_meta_description(),
    path: '/therapists/match',
  });
}

export default function MatchPage({ loaderData: { services } }: Route.ComponentProps) {
  return (
    <Container className="py-6 sm:py-10">
      <Link to="/therapists" className="inline-flex min-h-11 items-center text-primary hover:underline">
        ← {m.therapists_back_all()}
      </Link>
      <SectionHeading as="h1" title={m.match_heading()} className="mt-2 mb-6">
        {m.match_intro()}
      </SectionHeading>
      <noscript>
        <Notice className="mb-6">{m.match_without_script()}</Notice>
      </noscript>
      <DataProvider>
        <WhenHydrated>
          <Match services={services} />
        </WhenHydrated>
      </DataProvider>
    </Container>
  );
}

type Services = readonly { id: string; title: string }[];

const lookedAt = 48;

/** Guided match: a questionnaire, then up to three specialists. Answers never leave this page. */
function Match({ services }: { services: Services }) {
  const [answers, setAnswers] = useState<Answers>({});
  const [done, setDone] = useState(false);
  const hasVideo = useSite().flags.includes('video_sessions');
  return done ? (
    <MatchResult
      answers={answers}
      services={services}
      onRestart={() => {
        setAnswers({});
        setDone(false);
      }}
    />
  ) : (
    <MatchQuestions
      answers={answers}
      hasVideo={hasVideo}
      onAnswer={setAnswers}
      onDone={() => setDone(true)}
    />
  );
}

function MatchResult({
  answers,
  services,
  onRestart,
}: {
  answers: Answers;
  services: Services;
  onRestart: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const offered = useMemo(() => services.map(({ id }) => id), [services]);
  const zone = useOwnZone();
  const search = useMemo(() => searchOfAnswers(answers, offered, zone), [answers, offered, zone]);
  const { time: _time, faith: _faith, ...wide } = search;

  // Full matches first; partial matches, missing only time or faith, fill the remaining places.
  const inTime = useQuery(
    api.specialistSearch.find.queryOptions({
      input: { ...findInputOf(search), order: 'soonest', limit: lookedAt },
    }),
  );
  const others = useQuery(
    api.specialistSearch.find.queryOptions({
      input: {
        ...findInputOf({ ...wide, time: null, faith: null, zone: null }),
        order: 'soonest',
        limit: lookedAt,
      },
    }),
  );
  const fitting = inTime.data?.specialists;
  const further = others.data?.specialists;
  const suggestions = useMemo(() => {
    if (!fitting || !further) return null;
    const known = new Set(fitting.map(({ id }) => id));
    return suggest(answers, offered, [...fitting, ...further.filter(({ id }) => !known.has(id))], known);
  }, [answers, offered, fitting, further]);
  const ids = useMemo(() => suggestions?.map(({ specialist }) => specialist.id) ?? [], [suggestions]);
  const next = useNextStarts(ids, search);
  const service = services.find(({ id }) => id === search.care)?.title;
  const wiser = answers.kind === undefined || answers.kind === 'unsure' ? recommendedKind(answers) : null;
  const failed = [inTime, others].find(({ isError }) => isError);

  return (
    <section aria-labelledby="suggested">
      <h2 id="suggested" ref={heading} tabIndex={-1} className="text-2xl">
        {m.match_result()}
      </h2>
      <p className="mt-1 text-quiet">{m.match_result_text()}</p>
      {answers.weight === 'life' && <Crisis />}
      {wiser && (
        <Notice className="mt-4">
          {wiser === 'doctor' ? m.match_result_wiser() : m.match_result_wiser_pastor()}
        </Notice>
      )}
      {failed ? (
        <Notice
          tone="destructive"
          title={m.finding_failed()}
          className="mt-5"
          action={<TryAgain query={failed} />}
        />
      ) : suggestions === null ? (
        <Loading label={m.match_result_loading()} className="mt-5 grid gap-5 lg:grid-cols-3">
          <Skeleton className="h-96" />
          <Skeleton className="h-96" />
          <Skeleton className="h-96" />
        </Loading>
      ) : suggestions.length === 0 ? (
        <EmptyState
          as="h3"
          illustration={<TableIllustration />}
          title={m.match_result_none()}
          className="mt-4"
        >
          {m.match_result_none_text()}
        </EmptyState>
      ) : (
        <>
          <p className="mt-4 text-sm text-quiet">{m.finding_zone({ zone: zoneText(zone) })}</p>
          <ul className="mt-3 grid gap-5 lg:grid-cols-3">
            {suggestions.map((suggestion) => (
              <SuggestionCard
                key={suggestion.specialist.id}
                suggestion={suggestion}
                search={search}
                service={service}
                next={next.loading ? 'loading' : next.starts.get(suggestion.specialist.id)}
              />
            ))}
          </ul>
        </>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink to={addressOf(search)} variant="secondary">
          {suggestions?.length === 0 ? m.match_result_list() : m.match_result_all()}
        </ButtonLink>
        <Button variant="quiet" onClick={onRestart}>
          {m.match_restart()}
        </Button>
      </div>
    </section>
  );
}

function SuggestionCard({
  suggestion,
  search,
  service,
  next,
}: {
  suggestion: Suggestion;
  search: Search;
  service: string | undefined;
  next: NextStarts | 'loading' | undefined;
}) {
  const { openBooking } = useBooking();
  const { id, slug, name } = suggestion.specialist;
  return (
    <Card as="li" className="flex flex-col">
      <SpecialistHead specialist={suggestion.specialist} />
      <p className="mt-4">{matchReasonText(suggestion, search, service)}</p>
      <div className="mt-4">
        {next === 'loading' ? (
          <Loading>
            <Skeleton className="h-14" />
          </Loading>
        ) : (
          <NextStartButtons next={next} name={name} search={search} onBook={openBooking} />
        )}
      </div>
      <div className="mt-auto grid gap-2 pt-5">
        <Button
          about={m.web_with_name({ name })}
          onClick={() => openBooking({ providerId: id, ...(search.care ? { serviceId: search.care } : {}) })}
        >
          {m.site_book_session()}
        </Button>
        <ButtonLink to={`/therapists/${slug}`} variant="quiet">
          {m.therapists_view_profile()}
          <VisuallyHidden> {m.web_of_name({ name })}</VisuallyHidden>
        </ButtonLink>
      </div>
    </Card>
  );
}

function searchOfAnswers(answers: Answers, offered: readonly string[], zone: string): Search {
  const { serviceId, kind, faithPart, sessionType, time } = filtersOf(answers, offered);
  return {
    care: serviceId ?? null,
    kind: kind ?? null,
    faith: faithPart ?? null,
    type: sessionType ?? null,
    time: time ?? null,
    zone: time ? zone : null,
    place: null,
    language: null,
    tradition: null,
    order: null,
    page: 1,
  };
}
