import { useRef, type ReactNode } from 'react';
import { DeletionBanner } from '#/features/accounts/ui/deletion-banner.tsx';
import { useSite } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { useKeptFocus } from '#/web/components/kept-focus.ts';
import { Container } from '#/web/components/page.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { SiteHeader } from './site-header.tsx';

/** A live region announces `news`. */
export function DashboardFrame({
  header,
  news,
  children,
}: {
  header?: ReactNode;
  news?: string;
  children: ReactNode;
}) {
  const { supportEmail } = useSite();
  const main = useRef<HTMLElement>(null);
  useKeptFocus(main);
  return (
    <>
      {header ?? <SiteHeader tabs="pages" />}
      <main ref={main} id="content" tabIndex={-1} className="min-h-[calc(100dvh-8.375rem)] outline-none">
        <Container className="pt-8 pb-12 sm:pt-10 sm:pb-20">
          <DeletionBanner />
          {children}
        </Container>
      </main>
      <footer className="border-t border-line bg-sunken">
        <Container className="py-3 text-sm text-quiet">
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
      <BottomBar />
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
