import {
  BookOpen,
  CalendarDays,
  HeartHandshake,
  House,
  MessageCircle,
  Sprout,
  UserRound,
  UsersRound,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { useSite, useViewer } from '#/features/accounts/ui/session.tsx';
import { useUnread } from '#/features/messaging/ui/unread.ts';
import { isProvider } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';
import { useHasMessages } from '#/features/messaging/ui/messages-on.ts';
import { UnreadCorner, unreadLinkText } from '#/features/messaging/ui/unread-link.tsx';

interface Tab {
  to: string;
  Icon: LucideIcon;
  label: string;
  count?: number;
}

/** On administrators' pages, `menu` replaces the link to resources, which it lists. */
export function BottomBar({ menu }: { menu?: ReactNode }) {
  const viewer = useViewer();
  const messages = useHasMessages();
  const unread = useUnread();
  const { flags } = useSite();
  if (!viewer) return null;
  const growth = viewer.role === 'client' && flags.includes('wellness_tracking');
  const tabs: readonly Tab[] = [
    { to: '/home', Icon: House, label: m.site_nav_home() },
    ...(isProvider(viewer.role)
      ? [
          { to: '/schedule', Icon: CalendarDays, label: m.site_nav_schedule() },
          { to: '/clients', Icon: UsersRound, label: m.site_nav_clients() },
        ]
      : [
          { to: '/therapists', Icon: HeartHandshake, label: m.site_nav_therapists() },
          // Five fit on a phone.
          ...(menu || (growth && messages)
            ? []
            : [{ to: '/resources', Icon: BookOpen, label: m.site_nav_resources() }]),
          ...(growth ? [{ to: '/growth', Icon: Sprout, label: m.growth_title() }] : []),
        ]),
    ...(messages
      ? [{ to: '/messages', Icon: MessageCircle, label: m.messaging_title(), count: unread }]
      : []),
    { to: '/profile', Icon: UserRound, label: m.site_nav_profile() },
  ];
  return (
    <>
      {/* Spacer, so the bar never covers content. */}
      <div aria-hidden className="h-[calc(4rem+env(safe-area-inset-bottom))] bg-sunken lg:hidden" />
      <nav
        aria-label={m.site_bottom_bar()}
        data-bar
        className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] lg:hidden"
      >
        <ul
          className={classes(
            'mx-auto grid h-16 max-w-md',
            tabs.length + (menu ? 1 : 0) === 5 ? 'grid-cols-5' : 'grid-cols-4',
          )}
        >
          {tabs.map(({ to, Icon, label, count = 0 }) => (
            <li key={to}>
              <NavLink
                to={to}
                aria-label={count > 0 ? unreadLinkText(count) : undefined}
                className="flex h-full flex-col items-center justify-center gap-0.5 text-sm font-semibold text-quiet aria-[current=page]:text-primary"
              >
                <span className="relative">
                  <Icon className="size-5.5" />
                  <UnreadCorner count={count} />
                </span>
                <span className="max-xs:sr-only">{label}</span>
              </NavLink>
            </li>
          ))}
          {menu && <li>{menu}</li>}
        </ul>
      </nav>
    </>
  );
}
