import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { classes } from '#/web/components/classes.ts';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { shortDateText, timeText } from '#/web/times.ts';
import type { AppointmentView } from '../appointment/contract.ts';
import type { SeriesScope } from '../series/contract.ts';
import { withinScope } from '../series/rules.ts';

export type Scope = 'this' | SeriesScope;

/** Selects `first` where the series offers it. */
export function useSeries(appointment: AppointmentView, open: boolean, first: Scope) {
  const [chosen, choose] = useState<Scope>(first);
  const inSeries = appointment.seriesCount > 1;
  const ahead = useQuery({
    ...api.appointments.series.ahead.queryOptions({ input: { appointmentId: appointment.id } }),
    enabled: open && inSeries,
    // Fresh: lists what will change.
    staleTime: 0,
  });
  const sessions = inSeries ? (ahead.data ?? []) : [];
  const scopes = scopesOf(sessions, appointment);
  return {
    loading: inSeries && ahead.isLoading,
    /** Null if there's only one session left. */
    scopes,
    scope: scopes?.includes(chosen) ? chosen : 'this',
    choose,
    within: (scope: Scope): AppointmentView[] =>
      scope === 'this'
        ? [appointment]
        : withinScope(sessions, startOf, { from: startOf(appointment), scope }),
  };
}

const startOf = ({ startsAt }: Pick<AppointmentView, 'startsAt'>) => Date.parse(startsAt);

/** Omits `following` if it equals `this` or `all`. */
function scopesOf(sessions: readonly AppointmentView[], appointment: AppointmentView): Scope[] | null {
  const before = sessions.some((one) => startOf(one) < startOf(appointment));
  const after = sessions.some((one) => startOf(one) > startOf(appointment));
  if (!before && !after) return null;
  return before && after ? ['this', 'following', 'all'] : ['this', 'all'];
}

const labels: Readonly<Record<Scope, () => string>> = {
  this: m.booking_scope_this,
  following: m.booking_scope_following,
  all: m.booking_scope_all,
};

export function ScopeChoice({
  series: { loading, scopes, scope: value, choose, within },
  onChange,
  timeZone,
  className,
}: {
  series: ReturnType<typeof useSeries>;
  onChange: () => void;
  timeZone: string;
  className?: string;
}) {
  if (loading) {
    return (
      <Loading className="mb-6">
        <Skeleton className="mb-2 h-6 w-40" />
        <Skeleton className="h-14" />
      </Loading>
    );
  }
  if (!scopes) return null;
  return (
    <ChoiceGroup
      legend={m.booking_scope()}
      className={classes('mb-6', className)}
      value={value}
      onChange={(scope) => {
        onChange();
        choose(scope);
      }}
      choices={scopes.map((scope) => {
        const sessions = within(scope);
        return {
          value: scope,
          label: labels[scope](),
          description:
            scope === 'this'
              ? whenText(sessions[0]!.startsAt, timeZone)
              : m.booking_scope_count({ count: sessions.length }),
        };
      })}
    />
  );
}

export function whenText(startsAt: string, timeZone: string): string {
  return m.web_date_time({ date: shortDateText(startsAt, timeZone), time: timeText(startsAt, timeZone) });
}

/** Sessions past their cancellation deadline stay unchanged. */
export function StayingSessions({
  sessions,
  name,
  timeZone,
}: {
  sessions: readonly AppointmentView[];
  name: string;
  timeZone: string;
}) {
  if (sessions.length === 0) return null;
  return (
    <div className="mt-4">
      <p className="font-semibold">{m.booking_stays({ count: sessions.length })}</p>
      <SessionList sessions={sessions} timeZone={timeZone} />
      <p className="mt-1 text-sm text-quiet">{m.booking_problem_deadline_text({ name })}</p>
    </div>
  );
}

export function SessionList({
  sessions,
  timeZone,
}: {
  sessions: readonly Pick<AppointmentView, 'id' | 'startsAt'>[];
  timeZone: string;
}) {
  return (
    <ul className="mt-1.5 grid gap-x-6 gap-y-1 sm:grid-cols-2">
      {sessions.map(({ id, startsAt }) => (
        <li key={id} className="tabular-nums">
          <time dateTime={startsAt}>{whenText(startsAt, timeZone)}</time>
        </li>
      ))}
    </ul>
  );
}
