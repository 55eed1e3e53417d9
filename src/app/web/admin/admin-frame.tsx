import { Menu, X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { UnreadCorner } from '#/features/messaging/ui/unread-link.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { RealtimeProvider } from '#/web/realtime.tsx';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { AdminHeader } from './admin-header.tsx';
import { AdminNav } from './admin-nav.tsx';
import { AdminSearch, AdminSearchKey } from './admin-search.tsx';
import { useAttention, useAttentionNews } from './attention.ts';

/** An administrator's page with a menu of all pages: beside it, or in the bottom bar on phones. */
export function AdminFrame({
  header = <AdminHeader />,
  children,
}: {
  header?: ReactNode;
  children: ReactNode;
}) {
  return (
    <DataProvider>
      <RealtimeProvider>
        <AttentionNews />
        <AdminSearchKey />
        <DashboardFrame header={header} sidebar={<Sidebar />} menu={<AdminMenu />}>
          {children}
        </DashboardFrame>
      </RealtimeProvider>
    </DataProvider>
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

const id = 'admin-menu';

/** The bottom bar's button for the admin pages. A native popover: it opens without script, too. */
function AdminMenu() {
  const sheet = useRef<HTMLDivElement>(null);
  const { data: attention = [] } = useAttention();
  const waiting = attention.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
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
        id={id}
        popover="auto"
        role="group"
        aria-labelledby={`${id}-title`}
        className="fixed inset-x-0 top-auto bottom-0 m-0 max-h-[calc(100dvh-1rem)] w-full overflow-y-auto rounded-t-card bg-card p-4 pb-[max(1rem,env(safe-area-inset-bottom))] text-ink shadow-soft backdrop:bg-scrim open:animate-sheet lg:hidden"
      >
        <div className="mb-2 flex items-start justify-between gap-3 pl-3">
          <h2 id={`${id}-title`} className="pt-1.5 text-xl">
            {m.admin_menu()}
          </h2>
          <button
            type="button"
            popoverTarget={id}
            popoverTargetAction="hide"
            aria-label={m.web_close()}
            className="grid size-11 shrink-0 place-items-center rounded-control text-quiet hover:bg-sunken hover:text-ink"
          >
            <X className="size-5" />
          </button>
        </div>
        <AdminSearch className="mb-2 w-full" onOpen={() => sheet.current?.hidePopover()} />
        <AdminNav onFollow={() => sheet.current?.hidePopover()} />
      </div>
    </>
  );
}
