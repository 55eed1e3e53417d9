import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { SessionPlan } from '#/features/accounts/users/contract.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Select } from '#/web/components/field.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { failureReason } from '#/web/failures.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { dateText, timeText, zoneText } from '#/web/times.ts';
import type { UpcomingSession } from '../handover/contract.ts';
import { sessionTypeText } from './session-texts.ts';

type Planned = SessionPlan[number];
type ForAll = Planned['outcome'];

/** Fetches once, then again only if a submit found stale data. */
export function useHandover(providerId: string) {
  return useQuery(
    api.appointments.handover.sessions.queryOptions({
      input: { providerId },
      gcTime: 0,
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  );
}

export function HandoverSessions({
  providerId,
  tried,
  failure,
  onPlan,
}: {
  providerId: string;
  /** Submit attempted: undecided sessions show an error. */
  tried: boolean;
  failure: unknown;
  /** Null while a session is undecided. */
  onPlan: (plan: SessionPlan | null) => void;
}) {
  const queries = useQueryClient();
  const query = useHandover(providerId);
  const [forAll, setForAll] = useState<ForAll | null>(null);
  const [own, setOwn] = useState<ReadonlyMap<string, string>>(new Map());
  const sessions = query.data?.sessions;
  const plan = useMemo(
    () => sessions?.map((session) => plannedOf(session, own.get(session.id), forAll)) ?? null,
    [sessions, own, forAll],
  );
  const whole = query.isFetching || !plan || plan.includes(null) ? null : (plan as SessionPlan);
  useEffect(() => onPlan(whole), [onPlan, whole]);
  const reason = failureReason(failure);
  // Each failed attempt creates a new error object, so this refetches every time.
  const behind = reason === 'sessions_changed' || reason === 'reassign_taken' ? failure : null;
  useEffect(() => {
    if (behind) void queries.invalidateQueries({ queryKey: api.appointments.handover.sessions.key() });
  }, [behind, queries]);
  return (
    <Fetched query={query} failure={m.handover_failed()} skeleton={<Skeleton className="h-40" />}>
      {({ sessions: listed, more }) =>
        listed.length === 0 ? (
          <p className="text-quiet">{m.handover_none()}</p>
        ) : (
          <div className="grid gap-4">
            <ChoiceGroup<ForAll>
              legend={m.handover_legend({ count: listed.length })}
              error={tried && plan?.includes(null) && !forAll && m.handover_missing()}
              choices={choicesFor(listed)}
              value={forAll}
              onChange={(next) => {
                setForAll(next);
                setOwn(new Map());
              }}
              className="[&>div]:sm:grid-cols-1"
            />
            <Days
              sessions={listed}
              planned={plan ?? []}
              tried={tried && forAll !== null}
              onChoose={(id, value) => setOwn(new Map([...own, [id, value]]))}
            />
            {more && <p className="text-quiet">{m.handover_more({ count: listed.length })}</p>}
          </div>
        )
      }
    </Fetched>
  );
}

function choicesFor(sessions: readonly UpcomingSession[]) {
  const open = sessions.filter(({ takers }) => takers.length > 0).length;
  return [
    { value: 'cancel' as const, label: m.handover_cancel(), description: m.handover_cancel_text() },
    {
      value: 'reassign' as const,
      label: m.handover_reassign(),
      description:
        open === 0
          ? m.handover_reassign_nobody()
          : m.handover_reassign_text({ open, count: sessions.length }),
      disabled: open === 0,
    },
    { value: 'keep' as const, label: m.handover_keep(), description: m.handover_keep_text() },
  ];
}

/**
 * Returns null if undecided, or if the chosen specialist can't take over. Reassigning all cancels sessions without a
 * taker.
 */
function plannedOf(
  { id, sequence, takers }: UpcomingSession,
  chosen: string | undefined,
  forAll: ForAll | null,
): Planned | null {
  const of = { appointmentId: id, sequence };
  if (chosen === 'keep' || chosen === 'cancel') return { ...of, outcome: chosen };
  if (chosen !== undefined)
    return takers.some((one) => one.id === chosen)
      ? { ...of, outcome: 'reassign', providerId: chosen }
      : null;
  if (forAll !== 'reassign') return forAll && { ...of, outcome: forAll };
  const [first] = takers;
  return first ? { ...of, outcome: 'reassign', providerId: first.id } : { ...of, outcome: 'cancel' };
}

function Days({
  sessions,
  planned,
  tried,
  onChoose,
}: {
  sessions: readonly UpcomingSession[];
  planned: readonly (Planned | null)[];
  tried: boolean;
  onChoose: (id: string, value: string) => void;
}) {
  const zone = useOwnZone();
  const plans = new Map(planned.flatMap((one) => (one ? [[one.appointmentId, one] as const] : [])));
  const days = new Map<string, UpcomingSession[]>();
  for (const session of sessions) {
    const day = dateText(session.startsAt, zone);
    days.set(day, [...(days.get(day) ?? []), session]);
  }
  return (
    <div>
      <p className="text-sm text-quiet">{m.web_times_in_zone({ zone: zoneText(zone) })}</p>
      {[...days].map(([day, those]) => (
        <section key={day} aria-label={day} className="mt-3">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <h3 className="text-base font-semibold">{day}</h3>
            <span className="text-sm text-quiet">{m.handover_count({ count: those.length })}</span>
          </div>
          <ul className="divide-y divide-line">
            {those.map((session) => {
              const plan = plans.get(session.id);
              const value = plan ? (plan.providerId ?? plan.outcome) : '';
              const time = timeText(session.startsAt, zone);
              return (
                <li key={session.id} className="grid gap-2 py-2.5">
                  <p className="min-w-0 wrap-anywhere">
                    <span className="font-semibold tabular-nums">{time}</span> {session.client}
                    <span className="block text-sm text-quiet">
                      {session.service} · {sessionTypeText(session.sessionType)}
                      {session.status === 'pending' && ` · ${m.handover_unconfirmed()}`}
                    </span>
                  </p>
                  <Select
                    aria-label={m.handover_of({ client: session.client, day, time })}
                    aria-invalid={(tried && !plan) || undefined}
                    value={value}
                    onChange={({ target }) => onChoose(session.id, target.value)}
                  >
                    {!plan && <option value="">{m.handover_choose()}</option>}
                    <option value="cancel">{m.web_cancel()}</option>
                    {session.takers.map((one) => (
                      <option key={one.id} value={one.id}>
                        {m.handover_to({ name: one.name })}
                      </option>
                    ))}
                    <option value="keep">{m.handover_keep_one()}</option>
                  </Select>
                  {session.takers.length === 0 && <p className="text-sm text-quiet">{m.handover_nobody()}</p>}
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </div>
  );
}
