import type { InferContractRouterInputs } from '@orpc/contract';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import type { appointmentsContract } from '#/features/appointments/contract.ts';
import { api } from '#/web/api.tsx';
import { live } from './live.ts';
import { DayRows } from './day-rows.tsx';

type Span = InferContractRouterInputs<typeof appointmentsContract>['mine'];

export function AppointmentSection({
  title,
  text,
  timeZone,
  now,
  span,
  only = () => true,
}: {
  title: string;
  text: string;
  timeZone: string;
  now: number;
  span: Span;
  only?: (appointment: AppointmentView) => boolean;
}) {
  const id = useId();
  const query = useQuery({ ...api.appointments.mine.queryOptions({ input: span }), ...live });
  const appointments = query.data?.filter(only) ?? [];
  if (appointments.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} tabIndex={-1} className="rounded-control text-xl">
        {title}
      </h2>
      <p className="mb-3 text-quiet">{text}</p>
      <DayRows appointments={appointments} timeZone={timeZone} now={now} dated />
    </section>
  );
}
