import { useQuery } from '@tanstack/react-query';
import type { AgendaEntry } from '#/features/appointments/agenda/contract.ts';
import type { DaySpan } from '#/web/day-spans.ts';
import { RescheduleDialog } from '#/features/appointments/ui/reschedule-dialog.tsx';
import { api } from '#/web/api.tsx';
import { AppointmentDialog } from './appointment-dialog.tsx';
import { clockValue, instantAt } from './wall-time.ts';

/** Confirms moving a session that was dragged to another time, or shows its details if it can't move. */
export function MoveDialog({
  entry,
  to,
  timeZone,
  ...shared
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  entry: AgendaEntry;
  to: DaySpan;
  timeZone: string;
}) {
  const { data, isError } = useQuery(
    api.appointments.get.queryOptions({ input: { appointmentId: entry.id } }),
  );
  if (isError || (data && !data.actions.includes('reschedule')))
    return <AppointmentDialog entry={entry} timeZone={timeZone} {...shared} />;
  if (!data) return null;
  const chosen = instantAt(to.day, clockValue(to.from), timeZone) ?? undefined;
  return <RescheduleDialog appointment={data} timeZone={timeZone} chosen={chosen} {...shared} />;
}
