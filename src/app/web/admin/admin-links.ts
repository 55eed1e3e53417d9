import {
  BookOpen,
  CalendarSearch,
  ChartColumn,
  ClipboardCheck,
  HandHeart,
  House,
  Inbox,
  LayoutDashboard,
  LayoutGrid,
  Mail,
  MailX,
  MessageSquareQuote,
  PenLine,
  ScrollText,
  ShieldAlert,
  SlidersHorizontal,
  Sunrise,
  ToggleRight,
  UserPlus,
  Users,
  type LucideIcon,
} from 'lucide-react';
import type { Concern } from '#/features/analytics/contract.ts';
import { m } from '#/texts/messages.js';

interface AdminLink {
  to: string;
  Icon: LucideIcon;
  name: () => string;
  /** Items that need a decision there. */
  concerns?: readonly Concern[];
  /** Path prefix of its detail pages. */
  below?: string;
  demoOnly?: true;
}

/** Every page of an administrator, by subject. */
export const adminLinkGroups: readonly { id: string; name: () => string; rooms: readonly AdminLink[] }[] = [
  {
    id: 'overview',
    name: m.admin_tab_overview,
    rooms: [
      { to: '/home', Icon: House, name: m.site_nav_home },
      { to: '/admin/settings', Icon: LayoutDashboard, name: m.admin_tab_overview },
      { to: '/admin/analytics', Icon: ChartColumn, name: m.analytics_admin_title, concerns: ['audit'] },
    ],
  },
  {
    id: 'people',
    name: m.admin_group_people,
    rooms: [
      { to: '/admin/settings?tab=users', Icon: Users, name: m.admin_tab_users, below: '/admin/people/' },
      {
        to: '/admin/settings?tab=providers',
        Icon: ClipboardCheck,
        name: m.admin_tab_providers,
        concerns: ['applications', 'licensesEnded', 'licensesEnding'],
        below: '/admin/applications/',
      },
      { to: '/admin/add-provider', Icon: UserPlus, name: m.applications_add_button },
    ],
  },
  {
    id: 'appointments',
    name: m.admin_group_sessions,
    rooms: [
      {
        to: '/admin/appointments',
        Icon: CalendarSearch,
        name: m.appointments_admin_title,
        concerns: ['sessions'],
        below: '/admin/appointments/',
      },
      { to: '/admin/settings?tab=services', Icon: HandHeart, name: m.admin_tab_services },
      { to: '/services', Icon: LayoutGrid, name: m.home_admin_services },
    ],
  },
  {
    id: 'content',
    name: m.admin_group_content,
    rooms: [
      {
        to: '/admin/moderation',
        Icon: MessageSquareQuote,
        name: m.moderation_title,
        concerns: ['credentials', 'reviews', 'replies', 'resources'],
      },
      { to: '/admin/devotionals', Icon: Sunrise, name: m.home_admin_devotionals },
      { to: '/author', Icon: PenLine, name: m.home_author },
      { to: '/resources', Icon: BookOpen, name: m.site_nav_resources },
    ],
  },
  {
    id: 'site',
    name: m.admin_group_site,
    rooms: [
      { to: '/admin/inbox', Icon: Inbox, name: m.contact_inbox_title, concerns: ['messages'] },
      {
        to: '/admin/undelivered',
        Icon: MailX,
        name: m.undelivered_title,
        concerns: ['undelivered'],
      },
      { to: '/admin/settings?tab=features', Icon: ToggleRight, name: m.admin_tab_features },
      {
        to: '/admin/settings?tab=settings',
        Icon: SlidersHorizontal,
        name: m.admin_tab_settings,
        concerns: ['backups'],
      },
      { to: '/dev/mail', Icon: Mail, name: m.mail_tray_title, demoOnly: true },
    ],
  },
  {
    id: 'safety',
    name: m.admin_group_safety,
    rooms: [
      { to: '/admin/emergency', Icon: ShieldAlert, name: m.messaging_emergency_title },
      { to: '/admin/settings?tab=audit', Icon: ScrollText, name: m.admin_tab_audit },
    ],
  },
];

/** All pages in one list; only demos include the mail tray. */
export function adminLinksFor(demo: boolean): readonly AdminLink[] {
  return adminLinkGroups.flatMap(({ rooms }) => rooms).filter(({ demoOnly }) => demo || !demoOnly);
}

/** Whether the address shows a room, ignoring filters. */
export function isShowing(to: string, { pathname, search }: { pathname: string; search: string }): boolean {
  const [path, query] = to.split('?');
  if (path !== pathname.replace(/^\/adminsettings$/, '/admin/settings')) return false;
  if (path !== '/admin/settings') return true;
  const asked = new URLSearchParams(search).get('tab') ?? 'overview';
  return asked === (new URLSearchParams(query).get('tab') ?? 'overview');
}
