import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  BellRing,
  CalendarArrowUp,
  CalendarClock,
  CalendarX,
  CheckCheck,
  Ellipsis,
  Siren,
  UserPlus,
  UserX,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { Menu, type MenuItem } from '#/web/components/menu.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import type { AppointmentAction, AppointmentView } from '../appointment/contract.ts';
import type { AppointmentParts } from './parts.ts';
import { problemText } from './problem-text.ts';
import { ReasonField } from './reason-field.tsx';
import { LazyBoundary } from '#/web/lazy-boundary.tsx';
import { dateText, timeText } from '#/web/times.ts';
import { lazyPart } from '#/web/lazy-part.ts';
import { refetchAppointments } from './refetch-appointments.ts';

const RescheduleDialog = lazyPart(async () => (await import('./reschedule-dialog.tsx')).RescheduleDialog);
const CancelDialog = lazyPart(async () => (await import('./cancel-dialog.tsx')).CancelDialog);
const ReminderDialog = lazyPart(async () => (await import('./reminder-dialog.tsx')).ReminderDialog);

type Asked = Exclude<AppointmentAction, 'reschedule' | 'cancel' | 'set_reminder'>;

interface Question {
  title: string;
  text: string;
  confirm: string;
  done: string;
  tone: 'destructive' | 'primary';
  reason: boolean;
}

const menuLooks: Readonly<
  Record<
    Exclude<AppointmentAction, 'confirm' | 'decline'>,
    { label: () => string; icon: ReactNode; tone?: 'destructive' }
  >
> = {
  reschedule: { label: m.booking_action_reschedule, icon: <CalendarClock /> },
  set_reminder: { label: m.booking_action_reminder, icon: <BellRing /> },
  complete: { label: m.booking_action_complete, icon: <CheckCheck /> },
  mark_no_show: { label: m.booking_action_no_show, icon: <UserX /> },
  mark_emergency: { label: m.booking_action_emergency, icon: <Siren /> },
  cancel: { label: m.booking_action_cancel, icon: <CalendarX />, tone: 'destructive' },
};
const menuOrder = [
  'complete',
  'mark_no_show',
  'reschedule',
  'set_reminder',
  'mark_emergency',
  'cancel',
] as const;

export function AppointmentActions({
  appointment,
  timeZone,
  parts: { isForSeveral, GuestDialog, WaitDialog },
}: {
  appointment: AppointmentView;
  timeZone: string;
  parts: AppointmentParts;
}) {
  // Keeps the action while closing so the dialog text doesn't flicker.
  const [opened, setOpened] = useState<AppointmentAction | null>(null);
  const [open, setOpen] = useState(false);
  // A time found already free while joining the waiting list.
  const [chosen, setChosen] = useState<string>();
  const { actions } = appointment;
  const begin = (action: AppointmentAction) => {
    setOpened(action);
    setOpen(true);
  };
  const items = menuOrder
    .filter((action) => actions.includes(action))
    .map((action): MenuItem => {
      const { label, icon, tone } = menuLooks[action];
      return {
        label: label(),
        icon,
        tone,
        onSelect: () => {
          setChosen(undefined);
          begin(action);
        },
      };
    });
  // Clients who can reschedule can also wait for an earlier time.
  const [waits, setWaits] = useState(false);
  const [waitOpened, setWaitOpened] = useState(false);
  if (!appointment.client && actions.includes('reschedule')) {
    items.splice(1, 0, {
      label: m.waitlist_ask(),
      icon: <CalendarArrowUp />,
      onSelect: () => {
        setWaitOpened(true);
        setWaits(true);
      },
    });
  }
  const [inviting, setInviting] = useState(false);
  const [inviteOpened, setInviteOpened] = useState(false);
  const api = useApi();
  const site = useQuery({ ...api.settings.site.queryOptions(), networkMode: 'always' });
  const forSeveral =
    isForSeveral(appointment.service.id) && (site.data?.flags.includes('group_sessions') ?? false);
  if (forSeveral && !appointment.client && actions.includes('set_reminder')) {
    items.unshift({
      label: m.guests_invite(),
      icon: <UserPlus />,
      onSelect: () => {
        setInviteOpened(true);
        setInviting(true);
      },
    });
  }
  const dialog = { open, onOpenChange: setOpen, appointment, timeZone };
  if (actions.length === 0 && !open && !waits && !inviting) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {actions.includes('confirm') && (
        <Button onClick={() => begin('confirm')}>{m.booking_action_confirm()}</Button>
      )}
      {actions.includes('decline') && (
        <Button variant="secondary" onClick={() => begin('decline')}>
          {m.booking_action_decline()}
        </Button>
      )}
      {items.length > 0 && (
        <Menu
          items={items}
          trigger={
            <Button
              variant="secondary"
              aria-label={m.booking_actions_of({ name: (appointment.client ?? appointment.provider).name })}
            >
              <Ellipsis />
              <span className={classes(actions.includes('confirm') && 'max-sm:sr-only')}>
                {m.booking_actions()}
              </span>
            </Button>
          }
        />
      )}
      <LazyBoundary>
        {opened === 'reschedule' && <RescheduleDialog key={chosen} {...dialog} chosen={chosen} />}
        {opened === 'cancel' && <CancelDialog {...dialog} />}
        {opened === 'set_reminder' && <ReminderDialog {...dialog} />}
      </LazyBoundary>
      {inviteOpened && (
        <LazyBoundary>
          <GuestDialog open={inviting} onOpenChange={setInviting} appointmentId={appointment.id} />
        </LazyBoundary>
      )}
      {waitOpened && (
        <LazyBoundary>
          <WaitDialog
            open={waits}
            onOpenChange={setWaits}
            wanted={{
              provider: appointment.provider,
              serviceId: appointment.service.id,
              durationMinutes: appointment.durationMinutes,
              types: [appointment.sessionType],
              appointment,
            }}
            timeZone={timeZone}
            onFree={(start) => {
              setChosen(start);
              begin('reschedule');
            }}
          />
        </LazyBoundary>
      )}
      {opened && opened !== 'reschedule' && opened !== 'cancel' && opened !== 'set_reminder' && (
        <ActionQuestion key={opened} action={opened} {...dialog} />
      )}
    </div>
  );
}

function ActionQuestion({
  action,
  appointment,
  timeZone,
  open,
  onOpenChange,
}: {
  action: Asked;
  appointment: AppointmentView;
  timeZone: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [reason, setReason] = useState('');
  const question = questionOf(action, appointment, timeZone);
  const act = useMutation({
    mutationFn: () => call(api.appointments, action, appointment.id, reason.trim() || undefined),
    networkMode: 'always',
    onSuccess: async () => {
      // Waits until the list behind shows the change.
      await refetchAppointments(queries, api);
      onOpenChange(false);
      toast({ tone: 'success', title: question.done });
    },
    onError: (error) => {
      // A refusal may mean this screen is stale.
      if (isRefusal(error)) void refetchAppointments(queries, api);
    },
  });
  const problem = act.isError && problemText(act.error, { name: appointment.provider.name, existing: true });
  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => {
        if (!next) act.reset();
        onOpenChange(next);
      }}
      title={question.title}
      description={question.text}
      confirmLabel={question.confirm}
      cancelLabel={m.booking_action_back()}
      tone={question.tone}
      busy={act.isPending}
      onConfirm={() => act.mutate()}
    >
      {question.reason && <ReasonField value={reason} onChange={setReason} />}
      {problem && (
        <Notice tone="destructive" title={problem.title} className="mt-4">
          {problem.text}
        </Notice>
      )}
    </AlertDialog>
  );
}

type Appointments = ReturnType<typeof useApi>['appointments'];

async function call(
  appointments: Appointments,
  action: Asked,
  appointmentId: string,
  reason: string | undefined,
): Promise<AppointmentView> {
  switch (action) {
    case 'decline':
      return appointments.decline.call({ appointmentId, reason });
    case 'confirm':
      return appointments.confirm.call({ appointmentId });
    case 'complete':
      return appointments.complete.call({ appointmentId });
    case 'mark_no_show':
      return appointments.markNoShow.call({ appointmentId });
    case 'mark_emergency':
      return appointments.markEmergency.call({ appointmentId });
  }
}

function questionOf(
  action: Asked,
  { client, provider, startsAt }: AppointmentView,
  timeZone: string,
): Question {
  const name = client?.name ?? provider.name;
  const when = m.booking_date_time({
    date: dateText(startsAt, timeZone),
    time: timeText(startsAt, timeZone),
  });
  const gentle = { tone: 'primary', reason: false } as const;
  switch (action) {
    case 'decline':
      return {
        title: m.booking_decline_title(),
        text: m.booking_decline_text({ name, when }),
        confirm: m.booking_action_decline(),
        done: m.booking_decline_done(),
        tone: 'destructive',
        reason: true,
      };
    case 'confirm':
      return {
        title: m.booking_confirm_title(),
        text: m.booking_confirm_text({ name, when }),
        confirm: m.booking_action_confirm(),
        done: m.booking_confirm_done(),
        ...gentle,
      };
    case 'complete':
      return {
        title: m.booking_complete_title(),
        text: m.booking_complete_text({ name, when }),
        confirm: m.booking_action_complete(),
        done: m.booking_complete_done(),
        ...gentle,
      };
    case 'mark_no_show':
      return {
        title: m.booking_no_show_title({ name }),
        text: m.booking_no_show_text({ name, when }),
        confirm: m.booking_action_no_show(),
        done: m.booking_no_show_done(),
        tone: 'destructive',
        reason: false,
      };
    case 'mark_emergency':
      return {
        title: m.booking_emergency_title(),
        text: m.booking_emergency_text({ name, when }),
        confirm: m.booking_action_emergency(),
        done: m.booking_emergency_done(),
        ...gentle,
      };
  }
}
