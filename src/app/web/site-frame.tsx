import type { ReactNode } from 'react';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader, type SiteTabs } from './site-header.tsx';

// Lazy: guests have no bottom bar.
const BottomBar = lazyPart(async () => (await import('./bottom-bar.tsx')).BottomBar);

export function SiteFrame({
  tabs = 'pages',
  services,
  children,
}: {
  tabs?: SiteTabs;
  services: readonly { id: string; title: string }[];
  children: ReactNode;
}) {
  const viewer = useViewer();
  return (
    <>
      <SiteHeader tabs={tabs} />
      <main id="content" tabIndex={-1} className="outline-none">
        {children}
      </main>
      <SiteFooter services={services} />
      {viewer && <BottomBar />}
    </>
  );
}
