import { useQuery } from '@tanstack/react-query';
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
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { Menu, type MenuItem } from '#/web/components/menu.tsx';
import type { AppointmentAction, AppointmentView } from '../appointment/contract.ts';
import { ActionQuestion } from './action-question.tsx';
import { useKeptDialog } from './kept-dialog.ts';
import type { AppointmentParts } from './parts.ts';
import { LazyBoundary } from '#/web/lazy-boundary.tsx';
import { lazyPart } from '#/web/lazy-part.ts';

const RescheduleDialog = lazyPart(async () => (await import('./reschedule-dialog.tsx')).RescheduleDialog);
const CancelDialog = lazyPart(async () => (await import('./cancel-dialog.tsx')).CancelDialog);
const ReminderDialog = lazyPart(async () => (await import('./reminder-dialog.tsx')).ReminderDialog);

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
  const wait = useKeptDialog();
  if (!appointment.client && actions.includes('reschedule')) {
    items.splice(1, 0, {
      label: m.waitlist_ask(),
      icon: <CalendarArrowUp />,
      onSelect: wait.show,
    });
  }
  const invite = useKeptDialog();
  const api = useApi();
  const site = useQuery({ ...api.settings.site.queryOptions(), networkMode: 'always' });
  const forSeveral =
    isForSeveral(appointment.service.id) && (site.data?.flags.includes('group_sessions') ?? false);
  if (forSeveral && !appointment.client && actions.includes('set_reminder')) {
    items.unshift({
      label: m.guests_invite(),
      icon: <UserPlus />,
      onSelect: invite.show,
    });
  }
  const dialog = { open, onOpenChange: setOpen, appointment, timeZone };
  if (actions.length === 0 && !open && !wait.props.open && !invite.props.open) return null;
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
      {invite.mounted && (
        <LazyBoundary>
          <GuestDialog {...invite.props} appointmentId={appointment.id} />
        </LazyBoundary>
      )}
      {wait.mounted && (
        <LazyBoundary>
          <WaitDialog
            {...wait.props}
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
