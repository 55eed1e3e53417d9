import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { CalendarPlus } from 'lucide-react';
import type { Viewer } from '#/features/accounts/contract.ts';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { dateText } from '#/web/times.ts';
import type { OwnReview } from '#/features/reviews/contract.ts';
import { useReviewNews } from '#/features/reviews/ui/review-queries.ts';
import { ReviewBadge, ReviewButton } from '#/features/reviews/ui/session-review.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Fetched, LoadFailed } from '#/web/components/fetched.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { AppointmentListSkeleton, PastList } from './appointment-list.tsx';
import { pastQuery, reviewSpans } from './past-queries.ts';
import { isUpcoming, useUpcomingSessions, type Shown } from './own-sessions.tsx';

export function PastSessions({ viewer, opened, now, timeZone }: Shown & { viewer: Viewer }) {
  const { openBooking } = useBooking();
  const ahead = useUpcomingSessions(opened);
  const history = useInfiniteQuery({
    ...pastQuery(api.appointments, opened ?? 0),
    enabled: opened !== null,
  });
  const isClient = viewer.role === 'client';
  const reviews = useReviewsOf(isClient ? (history.data?.pages ?? []) : [], opened ?? 0);
  useReviewNews();

  const marks = (one: AppointmentView) => {
    const review = reviews.of.get(one.id);
    return review && <ReviewBadge review={review} />;
  };
  const actions = (one: AppointmentView) => {
    const { id, provider, service, startsAt } = one;
    return (
      <>
        {one.status === 'completed' && reviews.known && (
          <ReviewButton
            session={{
              appointmentId: id,
              providerName: provider.name,
              date: dateText(startsAt, timeZone),
            }}
            review={reviews.of.get(id) ?? null}
            fullName={viewer.fullName}
          />
        )}
        <Button
          variant="secondary"
          size="compact"
          onClick={() => openBooking({ providerId: provider.id, serviceId: service.id })}
        >
          <CalendarPlus aria-hidden />
          <span>
            {m.web_book_again()}
            <VisuallyHidden> {m.web_with_name({ name: provider.name })}</VisuallyHidden>
          </span>
        </Button>
      </>
    );
  };

  return (
    <Fetched query={history} failure={m.home_load_failed()} skeleton={<AppointmentListSkeleton />}>
      {({ pages }) => {
        const latestFirst = pages.flat();
        // Canceled future sessions count as past.
        for (const one of ahead.data ?? []) latestFirst.unshift(one);
        const over = latestFirst.filter((one) => !isUpcoming(one, now));
        const each = [...new Map(over.map((one) => [one.id, one])).values()];
        if (each.length === 0) return <p className="px-5 text-quiet">{m.home_past_empty()}</p>;
        return (
          <>
            {reviews.failed && (
              <LoadFailed title={m.reviews_load_failed()} query={reviews.failed} className="mb-4" />
            )}
            <PastList appointments={each} timeZone={timeZone} {...(isClient ? { marks, actions } : {})} />
            <MoreButton query={history}>{m.home_show_earlier()}</MoreButton>
          </>
        );
      }}
    </Fetched>
  );
}

function useReviewsOf(pages: readonly AppointmentView[][], opened: number) {
  return useQueries({
    queries: reviewSpans(pages, opened).map((input) => api.reviews.mine.queryOptions({ input })),
    combine: (answers) => {
      const found = answers.flatMap(({ data }) => data ?? []);
      const failed = answers.filter(({ data, isError }) => isError && data === undefined);
      return {
        of: new Map<string, OwnReview>(found.map((review) => [review.appointmentId, review])),
        // Reviewing waits until every query loads, to avoid overwriting an existing review.
        known: answers.every(({ data }) => data !== undefined),
        failed: failed[0] && {
          error: failed[0].error,
          isFetching: failed.some(({ isFetching }) => isFetching),
          refetch: () => Promise.all(failed.map(({ refetch }) => refetch())),
        },
      };
    },
  });
}
