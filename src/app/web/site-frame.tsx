import type { ReactNode } from 'react';
import { BottomBar } from './bottom-bar.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader, type SiteTabs } from './site-header.tsx';

/** A public page between its header and footer. */
export function SiteFrame({
  tabs = 'pages',
  services,
  children,
}: {
  tabs?: SiteTabs;
  /** For the footer's links. */
  services: readonly { id: string; title: string }[];
  children: ReactNode;
}) {
  return (
    <>
      <SiteHeader tabs={tabs} />
      <main id="content" tabIndex={-1} className="outline-none">
        {children}
      </main>
      <SiteFooter services={services} />
      <BottomBar />
    </>
  );
}
