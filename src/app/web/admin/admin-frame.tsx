import type { ReactNode } from 'react';
import { DataProvider } from '#/web/api.tsx';
import { RealtimeProvider } from '#/web/realtime.tsx';
import { DashboardFrame } from '../dashboard-frame.tsx';
import { AdminHeader } from './admin-header.tsx';
import { AdminMenu } from './admin-menu.tsx';
import { AdminSearch, AdminSearchKey } from './admin-search.tsx';
import { AdminNav } from './admin-nav.tsx';
import { useAttentionNews } from './attention.ts';

/** An administrator's page, with a menu of all others beside it or, on phones, in the bottom bar. */
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
