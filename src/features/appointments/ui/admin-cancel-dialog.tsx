import limits from 'virtual:limits/appointments.administration.cancel';
import { m } from '#/texts/messages.js';
import { Notice } from '#/web/components/notice.tsx';
import { ReasonDialog } from '#/web/components/reason-dialog.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { dateText, timeText } from '#/web/times.ts';
import type { AdministeredAppointment } from '../administration/contract.ts';
import { forBothProblem, useForBoth } from './admin-acts.ts';

export function AdminCancelDialog({
  appointment: { id: appointmentId, sequence, client, provider, startsAt },
  siteZone,
  onClose,
}: {
  appointment: AdministeredAppointment;
  siteZone: string;
  onClose: () => void;
}) {
  const { toast } = useToast();
  const cancel = useForBoth(
    (administration, reason: string) => administration.cancel.call({ appointmentId, sequence, reason }),
    () => {
      onClose();
      toast.done(m.appointments_admin_cancelled());
    },
  );
  const problem = cancel.isError && forBothProblem(cancel.error, { name: provider.name, existing: true });
  return (
    <ReasonDialog
      open
      onOpenChange={onClose}
      title={m.appointments_admin_cancel_title()}
      description={m.appointments_admin_cancel_text({
        client: client.name,
        provider: provider.name,
        when: m.booking_date_time({
          date: dateText(startsAt, siteZone),
          time: timeText(startsAt, siteZone),
        }),
      })}
      confirmLabel={m.appointments_admin_cancel()}
      cancelLabel={m.booking_move_keep()}
      words={{
        label: m.appointments_admin_reason(),
        hint: m.appointments_admin_reason_hint(),
        missing: m.appointments_admin_reason_missing(),
      }}
      limits={limits}
      busy={cancel.isPending}
      onConfirm={(reason) => cancel.mutate(reason)}
    >
      {problem && (
        <Notice tone="destructive" title={problem.title} className="mt-4">
          {problem.text}
        </Notice>
      )}
    </ReasonDialog>
  );
}
