import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import type { AppointmentView } from '../appointment/contract.ts';
import { SessionKeeping } from './session-keeping.tsx';
import { dateText, timeText } from '#/web/times.ts';

export function ReminderDialog({
  open,
  onOpenChange,
  appointment,
  timeZone,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  appointment: AppointmentView;
  timeZone: string;
}) {
  const { startsAt } = appointment;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={m.booking_action_reminder()}
      description={m.web_date_time({
        date: dateText(startsAt, timeZone),
        time: timeText(startsAt, timeZone),
      })}
      footer={<Button onClick={() => onOpenChange(false)}>{m.booking_confirmed_close()}</Button>}
    >
      <SessionKeeping sessions={[appointment]} />
    </Dialog>
  );
}
