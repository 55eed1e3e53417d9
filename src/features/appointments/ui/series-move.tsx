import { useQuery } from '@tanstack/react-query';
import { Check, CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import type { AppointmentView } from '../appointment/contract.ts';
import { Consent } from '#/web/components/consent.tsx';
import { LoadFailed } from '#/web/components/fetched.tsx';
import { clashText } from './failure-text.ts';
import { whenText, type Scope } from './series-scope.tsx';

export function useSeriesMove({ id, startsAt }: AppointmentView, scope: Scope, start: string | null) {
  const [leaves, setLeaves] = useState(false);
  const asked = scope !== 'this' && start !== null && start !== startsAt;
  const plan = useQuery({
    ...api.appointments.series.check.queryOptions({
      input: { appointmentId: id, scope: scope === 'this' ? 'all' : scope, startsAt: start ?? startsAt },
    }),
    enabled: asked,
    // Never cache: free times change at any moment.
    staleTime: 0,
  });
  const moves = (asked && plan.data) || [];
  const clashes = moves.filter(({ refusal }) => refusal !== null);
  return {
    asked,
    plan,
    moves,
    goes: moves.filter(({ refusal }) => refusal === null),
    clashes,
    /** Whether conflicting sessions keep their current time. */
    leaves,
    setLeaves,
    /** The selected session itself conflicts. */
    needsOther: clashes.some(({ appointmentId }) => appointmentId === id),
  };
}

export function SeriesMovePlan({
  move: { asked, plan, moves, clashes, needsOther, leaves, setLeaves },
  name,
  timeZone,
  tried,
}: {
  move: ReturnType<typeof useSeriesMove>;
  name: string;
  timeZone: string;
  tried: boolean;
}) {
  const leavesMissing = tried && !leaves;
  if (!asked) return null;
  if (plan.isError) {
    return <LoadFailed title={m.booking_move_series_failed()} query={plan} kept className="mt-6" />;
  }
  if (!plan.data) {
    return (
      <Loading label={m.booking_move_series_loading()} className="mt-6">
        <Skeleton className="h-24" />
      </Loading>
    );
  }
  return (
    <section aria-label={m.booking_move_series_title()} className="mt-6">
      <p className="mb-2 font-semibold">{m.booking_move_series_title()}</p>
      <ol className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
        {moves.map(({ appointmentId, from, startsAt, refusal }) => {
          const Mark = refusal ? CircleAlert : Check;
          return (
            <li key={appointmentId} className="flex items-start gap-2">
              <Mark
                aria-hidden
                className={refusal ? 'mt-1 size-4.5 shrink-0 text-clay' : 'mt-1 size-4.5 shrink-0 text-sage'}
              />
              <span className="tabular-nums">
                <time dateTime={startsAt}>{whenText(startsAt, timeZone)}</time>
                <span className="block text-sm text-quiet">
                  {m.booking_move_series_from({ when: whenText(from, timeZone) })}
                </span>
                {refusal && (
                  <span className="block text-sm font-medium text-clay">{clashText(refusal, { name })}</span>
                )}
              </span>
            </li>
          );
        })}
      </ol>
      <div className="mt-3">
        {clashes.length === 0 ? (
          <p role="status" className="text-sm text-quiet">
            {m.booking_move_series_free({ count: moves.length })}
          </p>
        ) : (
          <>
            <Notice tone="destructive" title={clashTitle(clashes.length, moves.length)}>
              {needsOther ? m.booking_problem_choose() : m.booking_move_series_clash_text()}
            </Notice>
            {!needsOther && (
              <div className="mt-3" data-problem={leavesMissing ? '' : undefined}>
                <Consent
                  checked={leaves}
                  onChange={setLeaves}
                  error={leavesMissing && m.booking_move_series_leave_missing()}
                >
                  {m.booking_move_series_leave({ count: clashes.length })}
                </Consent>
              </div>
            )}
          </>
        )}
      </div>
    </section>
  );
}

export function clashTitle(clashes: number, count: number): string {
  return m.booking_move_series_clashes({ clashes, count });
}
