import { Menu } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { UnreadCorner } from '#/features/messaging/ui/unread-link.tsx';
import { m } from '#/texts/messages.js';
import { SheetHead } from '#/web/components/sheet-head.tsx';
import { LiveDataProvider } from '#/web/api.tsx';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { AdminHeader } from './admin-header.tsx';
import { AdminSearch, AdminSearchKey } from './admin-search.tsx';
import { useAttention, useAttentionNews } from './attention.ts';
import { isShowing, adminLinkGroups } from './admin-links.ts';

/** An administrator's page with a menu of all pages: beside it, or in the bottom bar on phones. */
export function AdminFrame({
  header = <AdminHeader />,
  children,
}: {
  header?: ReactNode;
  children: ReactNode;
}) {
  return (
    <LiveDataProvider>
      <AttentionNews />
      <AdminSearchKey />
      <DashboardFrame header={header} sidebar={<Sidebar />} menu={<AdminMenu />}>
        {children}
      </DashboardFrame>
    </LiveDataProvider>
  );
}

function Sidebar() {
  return (
    <>
      <AdminSearch className="mb-2 w-full" />
      <AdminNav />
    </>
  );
}

function AttentionNews() {
  useAttentionNews();
  return null;
}

const menuId = 'admin-menu';

/** The bottom bar's button for the admin pages. A native popover: it opens without script, too. */
function AdminMenu() {
  const sheet = useRef<HTMLDivElement>(null);
  const { data: attention = [] } = useAttention();
  const waiting = attention.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <button
        type="button"
        popoverTarget={menuId}
        aria-label={waiting > 0 ? m.admin_menu_count({ count: waiting }) : m.admin_menu()}
        className="flex h-full w-full flex-col items-center justify-center gap-0.5 text-sm font-semibold text-quiet"
      >
        <span className="relative">
          <Menu className="size-5.5" />
          <UnreadCorner count={waiting} />
        </span>
        {m.site_nav_admin()}
      </button>
      <div
        ref={sheet}
        id={menuId}
        popover="auto"
        role="group"
        aria-labelledby={`${menuId}-title`}
        className="fixed inset-x-0 top-auto bottom-0 m-0 max-h-[calc(100dvh-1rem)] w-full overflow-y-auto rounded-t-card bg-card p-4 pb-[max(1rem,env(safe-area-inset-bottom))] text-ink shadow-soft backdrop:bg-scrim open:animate-sheet lg:hidden"
      >
        <SheetHead id={menuId} title={m.admin_menu()} className="mb-2 items-start gap-3 pl-3 [&>h2]:pt-1.5" />
        <AdminSearch className="mb-2 w-full" onOpen={() => sheet.current?.hidePopover()} />
        <AdminNav onFollow={() => sheet.current?.hidePopover()} />
      </div>
    </>
  );
}

/** All admin pages, with counts of pending items. */
function AdminNav({ onFollow }: { onFollow?: () => void }) {
  const { demo } = useSite();
  const location = useLocation();
  const { data: attention = [] } = useAttention();
  return (
    <nav aria-label={m.admin_menu()} className="grid gap-4 lg:gap-2.5 low:gap-1">
      {adminLinkGroups.map(({ id, name, rooms }) => (
        <div key={id} className="low:not-first:border-t low:not-first:border-line low:not-first:pt-1">
          {/* Its first room has the same name. */}
          <p hidden={id === 'overview'} className="px-3 pb-0.5 text-sm text-quiet low:hidden">
            {name()}
          </p>
          <ul aria-label={name()}>
            {rooms
              .filter(({ demoOnly }) => demo || !demoOnly)
              .map(({ to, Icon, name: title, concerns = [], below }) => {
                const waiting = attention
                  .filter(({ concern }) => concerns.includes(concern))
                  .reduce((sum, { count }) => sum + count, 0);
                return (
                  <li key={to}>
                    <Link
                      to={to}
                      aria-current={
                        isShowing(to, location)
                          ? 'page'
                          : below !== undefined && location.pathname.startsWith(below)
                      }
                      onClick={onFollow}
                      className="flex min-h-11 items-center gap-2.5 rounded-control px-3 font-semibold hover:bg-sunken focus-visible:-outline-offset-3 aria-[current=page]:bg-primary-soft aria-[current=page]:text-primary aria-[current=true]:bg-primary-soft aria-[current=true]:text-primary lg:min-h-8 low:min-h-6.5 lg:pointer-coarse:min-h-11"
                    >
                      <Icon aria-hidden className="size-4.5 shrink-0 text-quiet" />
                      <span className="min-w-0 flex-1">{title()}</span>
                      {waiting > 0 && (
                        <Badge
                          tone="primary"
                          className="tabular-nums in-aria-[current=page]:bg-card in-aria-[current=true]:bg-card"
                        >
                          {waiting}
                          <VisuallyHidden> {m.admin_menu_waiting()}</VisuallyHidden>
                        </Badge>
                      )}
                    </Link>
                  </li>
                );
              })}
          </ul>
        </div>
      ))}
    </nav>
  );
}
