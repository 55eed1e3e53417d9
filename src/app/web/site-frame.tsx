import { useRef, type ReactNode } from 'react';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader, type SiteTabs } from './site-header.tsx';

// Lazy: guests have neither.
const BottomBar = lazyPart(async () => (await import('./bottom-bar.tsx')).BottomBar);
const FocusRestore = lazyPart(async () => (await import('#/web/components/focus-restore.ts')).FocusRestore);

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
  const main = useRef<HTMLElement>(null);
  return (
    <>
      <SiteHeader tabs={tabs} />
      <main ref={main} id="content" tabIndex={-1} className="outline-none">
        {children}
      </main>
      <SiteFooter services={services} />
      {viewer && <FocusRestore main={main} />}
      {viewer && <BottomBar />}
    </>
  );
}
