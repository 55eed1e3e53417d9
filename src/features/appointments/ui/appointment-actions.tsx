import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
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
import { useState, type ComponentType, type ReactNode, type ComponentProps } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { Menu, type MenuItem } from '#/web/components/menu.tsx';
import type { AppointmentAction, AppointmentView } from '../appointment/contract.ts';
import type { AskedAction } from './action-question.tsx';
import { useLazyDialog } from './lazy-dialog.ts';
import type { AppointmentParts } from './parts.ts';
import { lazyPart } from '#/web/lazy-part.tsx';
import type { Scope } from './series-scope.tsx';
import { toast } from '#/web/components/toast.tsx';
import { refetchAppointments } from './refetch-appointments.ts';

const ActionQuestion = lazyPart(async () => (await import('./action-question.tsx')).ActionQuestion);
const RescheduleDialog = lazyPart(async () => (await import('./reschedule-dialog.tsx')).RescheduleDialog);
const CancelDialog = lazyPart(async () => (await import('./cancel-dialog.tsx')).CancelDialog);
const ReminderDialog = lazyPart(async () => (await import('./reminder-dialog.tsx')).ReminderDialog);

interface ActionDialogProps {
  appointment: AppointmentView;
  timeZone: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** A start chosen before the dialog opened. */
  chosen?: string;
  /** Sessions of a series selected at first. */
  scope?: Scope;
}

const dialogs: Readonly<Record<Exclude<MenuAction, AskedAction>, ComponentType<ActionDialogProps>>> = {
  reschedule: RescheduleDialog,
  cancel: CancelDialog,
  set_reminder: ReminderDialog,
};

function hasDialog(action: OpenedAction): action is keyof typeof dialogs {
  return action in dialogs;
}

type OpenedAction = Exclude<AppointmentAction, 'confirm'>;
type MenuAction = Exclude<OpenedAction, 'decline'>;

const seriesActions: readonly MenuAction[] = ['reschedule', 'cancel'];

/** In the menu's order. */
const menuLooks: Readonly<
  Record<MenuAction, { label: () => string; icon: ReactNode; tone?: 'destructive' }>
> = {
  complete: { label: m.booking_action_complete, icon: <CheckCheck /> },
  mark_no_show: { label: m.booking_action_no_show, icon: <UserX /> },
  reschedule: { label: m.booking_action_reschedule, icon: <CalendarClock /> },
  set_reminder: { label: m.booking_action_reminder, icon: <BellRing /> },
  mark_emergency: { label: m.booking_action_emergency, icon: <Siren /> },
  cancel: { label: m.booking_action_cancel, icon: <CalendarX />, tone: 'destructive' },
};

export function AppointmentActions({
  appointment,
  timeZone,
  parts: { isForSeveral, GuestDialog, WaitDialog },
  more = [],
  compact = false,
  series = false,
  onAsking,
  children,
}: {
  appointment: AppointmentView;
  timeZone: string;
  parts: AppointmentParts;
  /** Further menu items, above the destructive one. */
  more?: readonly MenuItem[];
  /** Shows small answers, and only the menu’s icon. */
  compact?: boolean;
  /** Acts on the series' upcoming sessions. */
  series?: boolean;
  /** Told whether one of its dialogs is open. */
  onAsking?: (asking: boolean) => void;
  /** Buttons before the menu. */
  children?: ReactNode;
}) {
  const { opened, chosen, begin, ...shown } = useOpenedAction(onAsking);
  const { actions } = appointment;
  const items = (Object.keys(menuLooks) as MenuAction[])
    .filter((action) => actions.includes(action) && (!series || seriesActions.includes(action)))
    .map((action): MenuItem => {
      const { label, icon, tone } = menuLooks[action];
      return { label: label(), icon, tone, onSelect: () => begin(action) };
    });
  // Whoever can reschedule can also wait.
  const wait = useLazyDialog();
  if (!series && !appointment.client && actions.includes('reschedule')) {
    items.splice(1, 0, {
      label: m.waitlist_title(),
      icon: <CalendarArrowUp />,
      onSelect: wait.show,
    });
  }
  const invite = useLazyDialog();
  const site = useQuery(api.settings.site.queryOptions());
  const forSeveral =
    isForSeveral(appointment.service.id) && (site.data?.flags.includes('group_sessions') ?? false);
  if (forSeveral && !series && !appointment.client && actions.includes('set_reminder')) {
    items.unshift({
      label: m.guests_invite(),
      icon: <UserPlus />,
      onSelect: invite.show,
    });
  }
  const dialog = { ...shown, appointment, timeZone, scope: series ? 'all' : 'this' } as const;
  const isDestructive = ({ tone }: MenuItem) => tone === 'destructive';
  const menu = [...items.filter((item) => !isDestructive(item)), ...more, ...items.filter(isDestructive)];
  const answer = compact ? ({ size: 'sm', className: 'px-3! max-sm:flex-1' } as const) : {};
  if (
    actions.length === 0 &&
    menu.length === 0 &&
    !children &&
    !shown.open &&
    !wait.props.open &&
    !invite.props.open
  )
    return null;
  return (
    <div className={compact ? 'contents' : 'flex flex-wrap items-center gap-2'}>
      {actions.includes('confirm') && <ConfirmButton {...answer} appointment={appointment} />}
      {actions.includes('decline') && (
        <Button {...answer} variant="secondary" onClick={() => begin('decline')}>
          {m.booking_action_decline()}
        </Button>
      )}
      {children}
      {menu.length > 0 && (
        <ActionMenu items={menu} appointment={appointment} compact={compact} series={series} />
      )}
      {opened && <ActionDialog key={chosen} action={opened} {...dialog} chosen={chosen} />}
      {invite.mounted && <GuestDialog {...invite.props} appointmentId={appointment.id} />}
      {wait.mounted && (
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
          onFree={(start) => begin('reschedule', start)}
        />
      )}
    </div>
  );
}

function useOpenedAction(onAsking?: (asking: boolean) => void) {
  // Keeps the action while closing so the dialog text doesn't flicker.
  const [opened, setOpened] = useState<OpenedAction | null>(null);
  const [open, setShown] = useState(false);
  // A free time found while joining the list.
  const [chosen, setChosen] = useState<string>();
  const onOpenChange = (next: boolean) => {
    setShown(next);
    onAsking?.(next);
  };
  const begin = (action: OpenedAction, start?: string) => {
    setChosen(start);
    setOpened(action);
    onOpenChange(true);
  };
  return { opened, chosen, open, onOpenChange, begin };
}

function ActionMenu({
  items,
  appointment: { actions, client, provider },
  compact,
  series,
}: {
  items: readonly MenuItem[];
  appointment: AppointmentView;
  compact: boolean;
  series: boolean;
}) {
  return (
    <Menu
      items={items}
      trigger={
        <Button
          variant="secondary"
          size={compact ? 'icon' : 'md'}
          aria-label={(series ? m.booking_actions_series : m.booking_actions_of)({
            name: (client ?? provider).name,
          })}
        >
          <Ellipsis />
          {!compact && (
            <span className={classes(actions.includes('confirm') && 'max-sm:sr-only')}>
              {m.web_actions()}
            </span>
          )}
        </Button>
      }
    />
  );
}

function ActionDialog({ action, ...dialog }: ActionDialogProps & { action: OpenedAction }) {
  if (!hasDialog(action)) return <ActionQuestion key={action} action={action} {...dialog} />;
  const Dialog = dialogs[action];
  return <Dialog {...dialog} />;
}

/** Asks nothing, since a confirmed session can still be canceled. */
function ConfirmButton({
  appointment: { id: appointmentId, provider },
  ...look
}: { appointment: AppointmentView } & Pick<ComponentProps<typeof Button>, 'size' | 'className'>) {
  const queries = useQueryClient();
  const confirm = useMutation({
    ...api.appointments.confirm.mutationOptions(),
    onSuccess: async () => {
      await refetchAppointments(queries);
      toast.done(m.booking_confirm_done());
    },
    onError: async (error) => {
      void refetchAppointments(queries);
      const { appointmentFailure } = await import('./failure-text.ts');
      const { title, text } = appointmentFailure(error, { name: provider.name, existing: true });
      toast.failed(title, text);
    },
  });
  return (
    <Button {...look} busy={confirm.isPending} onClick={() => confirm.mutate({ appointmentId })}>
      {m.booking_action_confirm()}
    </Button>
  );
}
