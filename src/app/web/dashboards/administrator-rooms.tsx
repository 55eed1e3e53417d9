import {
  CalendarSearch,
  Inbox,
  LayoutGrid,
  Mail,
  MessageSquareQuote,
  PenLine,
  ShieldAlert,
  Sunrise,
} from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { ReviewsWaiting } from '#/features/reviews/ui/reviews-waiting.tsx';
import { m } from '#/texts/messages.js';
import type { Hue } from '#/web/components/hues.ts';
import { classes } from '#/web/components/classes.ts';
import { QuickAction } from './quick-action.tsx';

const rooms: readonly {
  to: string;
  Icon: ComponentType;
  hue: Hue;
  title: () => string;
  text: () => ReactNode;
  demoOnly?: true;
}[] = [
  {
    to: '/admin/appointments',
    Icon: CalendarSearch,
    hue: 'leaf',
    title: m.appointments_admin_room,
    text: m.appointments_admin_room_text,
  },
  {
    to: '/admin/moderation',
    Icon: MessageSquareQuote,
    hue: 'rose',
    title: m.home_admin_moderation,
    text: () => <ReviewsWaiting otherwise={m.home_admin_moderation_text()} />,
  },
  { to: '/admin/inbox', Icon: Inbox, hue: 'sea', title: m.home_admin_inbox, text: m.home_admin_inbox_text },
  {
    to: '/admin/devotionals',
    Icon: Sunrise,
    hue: 'wheat',
    title: m.home_admin_devotionals,
    text: m.home_admin_devotionals_text,
  },
  { to: '/author', Icon: PenLine, hue: 'leaf', title: m.home_author, text: m.home_author_text },
  {
    to: '/services',
    Icon: LayoutGrid,
    hue: 'dusk',
    title: m.home_admin_services,
    text: m.home_admin_services_text,
  },
  {
    to: '/admin/emergency',
    Icon: ShieldAlert,
    hue: 'rose',
    title: m.home_admin_emergency,
    text: m.home_admin_emergency_text,
  },
  {
    to: '/dev/mail',
    Icon: Mail,
    hue: 'plum',
    title: m.home_admin_mail,
    text: m.home_admin_mail_text,
    demoOnly: true,
  },
];

export function AdministratorRooms({ className }: { className?: string }) {
  const { demo } = useSite();
  return (
    <ul className={classes('grid gap-3', className)}>
      {rooms
        .filter(({ demoOnly }) => demo || !demoOnly)
        .map(({ Icon, to, hue, title, text }) => (
          <li key={to}>
            <QuickAction to={to} icon={<Icon />} hue={hue} title={title()} text={text()} />
          </li>
        ))}
    </ul>
  );
}
