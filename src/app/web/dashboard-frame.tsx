import { useRef, type ReactNode } from 'react';
import { DeletionBanner } from '#/features/accounts/ui/deletion-banner.tsx';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';
import { useFocusRestore } from '#/web/components/focus-restore.ts';
import { Container } from '#/web/components/page.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { SiteHeader } from './site-header.tsx';

/** A live region announces `news`. `sidebar` is for wide screens only, `menu` is in the bottom bar. */
export function DashboardFrame({
  header,
  sidebar,
  menu,
  news,
  children,
}: {
  header?: ReactNode;
  sidebar?: ReactNode;
  menu?: ReactNode;
  news?: string;
  children: ReactNode;
}) {
  const { supportEmail } = useSite();
  const main = useRef<HTMLElement>(null);
  useFocusRestore(main);
  const wide = sidebar ? 'lg:mx-0 lg:max-w-wide lg:px-8' : null;
  return (
    <>
      {header ?? <SiteHeader tabs="pages" />}
      <div
        className={classes(Boolean(sidebar) && 'lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)] print:block!')}
      >
        {sidebar && (
          <div className="sticky top-16 hidden h-[calc(100dvh-4rem)] overflow-y-auto overscroll-contain border-r border-line p-3 lg:block print:hidden!">
            {sidebar}
          </div>
        )}
        <div>
          <main ref={main} id="content" tabIndex={-1} className="min-h-[calc(100dvh-8.375rem)] outline-none">
            <Container className={classes('pt-8 pb-12 sm:pt-10 sm:pb-20', wide)}>
              <DeletionBanner />
              {children}
            </Container>
          </main>
          <footer className="border-t border-line bg-sunken print:hidden">
            <Container className={classes('py-3 text-sm text-quiet', wide)}>
              <p>
                {m.home_questions()}{' '}
                <a
                  href={`mailto:${supportEmail}`}
                  className="inline-flex min-h-11 items-center font-semibold text-primary hover:text-primary-strong hover:underline"
                >
                  {supportEmail}
                </a>
              </p>
            </Container>
          </footer>
        </div>
      </div>
      <BottomBar menu={menu} />
      <p role="status" aria-live="polite" className="sr-only">
        {news}
      </p>
    </>
  );
}

export function DashboardHeading({
  title,
  children,
  action,
}: {
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <div className="max-w-reading">
        <h1 className="text-2xl sm:text-3xl">{title}</h1>
        {children && <p className="mt-1.5 min-h-7 text-lg text-quiet">{children}</p>}
      </div>
      {action}
    </div>
  );
}
