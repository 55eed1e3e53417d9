import {
  ClipboardCheck,
  HandHeart,
  LayoutDashboard,
  ScrollText,
  SlidersHorizontal,
  ToggleRight,
  Users,
} from 'lucide-react';
import { useRef, type ComponentType } from 'react';
import { Link, useSearchParams } from 'react-router';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';
import { Spinner } from '#/web/components/spinner.tsx';
import { StripEdges } from '#/web/components/strip-edges.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { useOwnZone, ZoneLine } from '#/web/own-zone.tsx';
import { unlisted } from '../page-meta.ts';

export const meta = unlisted(m.admin_title);

const loading = () => <Spinner label={m.admin_loading()} className="py-16" />;

const OverviewTab = lazyPart(async () => (await import('../admin/overview-tab.tsx')).OverviewTab, loading);
const UsersDesk = lazyPart(
  async () => (await import('#/features/accounts/ui/users-panel.tsx')).UsersPanel,
  loading,
);
const ProvidersTab = lazyPart(async () => (await import('../admin/providers-tab.tsx')).ProvidersTab, loading);
const ServicesTab = lazyPart(async () => (await import('../admin/services-tab.tsx')).ServicesTab, loading);
const FlagsTab = lazyPart(async () => (await import('../admin/flags-tab.tsx')).FlagsTab, loading);
const SettingsTab = lazyPart(async () => (await import('../admin/settings-tab.tsx')).SettingsTab, loading);
const AuditLog = lazyPart(async () => (await import('#/features/audit/ui/audit-log.tsx')).AuditLog, loading);

/** The portal's seven tabs (administrator spec, section 2); `id` is the URL parameter. */
const parts: readonly { id: string; name: () => string; Icon: ComponentType; Content: ComponentType }[] = [
  { id: 'overview', name: m.admin_tab_overview, Icon: LayoutDashboard, Content: OverviewTab },
  { id: 'users', name: m.admin_tab_users, Icon: Users, Content: UsersDesk },
  { id: 'providers', name: m.admin_tab_providers, Icon: ClipboardCheck, Content: ProvidersTab },
  { id: 'services', name: m.admin_tab_services, Icon: HandHeart, Content: ServicesTab },
  { id: 'features', name: m.admin_tab_features, Icon: ToggleRight, Content: FlagsTab },
  { id: 'settings', name: m.admin_tab_settings, Icon: SlidersHorizontal, Content: SettingsTab },
  { id: 'audit', name: m.admin_tab_audit, Icon: ScrollText, Content: AuditLog },
];

export default function Portal() {
  const [query] = useSearchParams();
  const strip = useRef<HTMLUListElement>(null);
  const asked = query.get('tab');
  const current = parts.find(({ id }) => id === asked) ?? parts[0]!;
  return (
    <>
      <h1 className="text-2xl sm:text-3xl">{m.admin_title()}</h1>
      <ZoneLine timeZone={useOwnZone()} className="mt-1 text-sm text-quiet" />
      <div className="mt-5">
        <nav aria-label={m.admin_nav()} className="relative -mx-4 sm:mx-0">
          <ul
            ref={strip}
            className="flex gap-1 overflow-x-auto border-b border-line px-4 pb-2 [scrollbar-width:none] sm:px-0"
          >
            {parts.map(({ id, name, Icon }) => (
              <li key={id} className="shrink-0">
                <Link
                  id={`tab-${id}`}
                  to={id === 'overview' ? '/admin/settings' : `/admin/settings?tab=${id}`}
                  aria-current={id === current.id ? 'page' : undefined}
                  preventScrollReset
                  className={classes(
                    'flex min-h-11 items-center gap-2.5 rounded-control px-3 font-semibold whitespace-nowrap text-quiet transition-colors duration-150',
                    'hover:bg-sunken hover:text-ink focus-visible:-outline-offset-3 lg:[&_svg]:hidden [&_svg]:size-4.5',
                    'aria-[current=page]:bg-primary-soft aria-[current=page]:text-primary',
                  )}
                >
                  <Icon />
                  {name()}
                </Link>
              </li>
            ))}
          </ul>
          <StripEdges list={strip} value={current.id} />
        </nav>
        <div className="mt-6 min-w-0">
          <current.Content />
        </div>
      </div>
    </>
  );
}
