import {
  use,
  type ReactNode,
  startTransition,
  useCallback,
  useEffect,
  useState,
  type ComponentType,
} from 'react';
import {
  data,
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteError,
  useRouteLoaderData,
  useLocation,
  useNavigate,
  useNavigation,
} from 'react-router';
import sans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url';
import serif from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2?url';
import { AuthRequiredProvider } from '#/features/accounts/ui/auth-required.tsx';
import { ViewerProvider, useSession } from '#/features/accounts/ui/session.tsx';
import { SkipLink } from '#/web/components/page.tsx';
import { Toasts } from '#/web/components/toast.tsx';
import { lazyPart, PageReady } from '#/web/lazy-part.tsx';
import { RenderedAtContext } from '#/web/now.ts';
import type { Route } from './+types/root.ts';
import { BookingGate } from './booking-gate.tsx';
import { pageRequest } from './contexts.ts';
import { useHeadingFocus } from './focus-heading.ts';
import { DeviceStorage } from './offline/device-storage.tsx';
import { PageHeadContext } from './page-head.ts';
import { PagePreloader } from './page-preloader.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { useWaitingForNetwork } from '#/web/network.ts';
import { UnreadContext } from '#/features/messaging/ui/unread.ts';
import { useHasMessages } from '#/features/messaging/ui/messages-on.ts';

const ClosedScreen = lazyPart(async () => (await import('./closed-screen.tsx')).ClosedScreen);
const ErrorScreen = lazyPart(async () => (await import('./error-screen.tsx')).ErrorScreen);
const OpenDemoBanner = lazyPart(async () => (await import('./open-demo-banner.tsx')).OpenDemoBanner);

/** A closed site runs no loaders. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    const { closed } = context.get(pageRequest);
    // oxlint-disable-next-line typescript/only-throw-error -- the router answers with what is thrown
    if (closed) throw data(closed, { status: 503 });
  },
];

export async function loader({ context }: Route.LoaderArgs) {
  const { api, appUrl } = context.get(pageRequest);
  const at = Date.now();
  const [viewer, site] = await Promise.all([api.accounts.me(), api.settings.site()]);
  return { viewer, site, appUrl, at };
}

/**
 * Sign-in and sign-out revalidate explicitly, so navigation doesn't have to. Only leaving the sign-in card needs it:
 * its redirect happens before the new viewer is known.
 */
export function shouldRevalidate({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }) {
  return currentUrl.href === nextUrl.href || currentUrl.searchParams.has('auth');
}

export function Layout({ children }: { children: ReactNode }) {
  const { nonce, css, script } = use(PageHeadContext);
  // Missing if the root loader failed.
  const site = useRouteLoaderData<typeof loader>('root')?.site;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#fcfaf5" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#11161f" media="(prefers-color-scheme: dark)" />
        <link rel="preload" href={sans} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="preload" href={serif} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
        {site?.flags.includes('mobile_app_access') && <link rel="manifest" href="/manifest.webmanifest" />}
        <Meta />
        <Links nonce={nonce} />
        {/* oxlint-disable-next-line react/no-danger -- our own style sheet, from the build */}
        <style nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: css }} />
        {/* oxlint-disable-next-line react/no-danger -- our own scripts, in front of all others */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />
      </head>
      <body>
        <SkipLink />
        {site?.openDemo && <OpenDemoBanner />}
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
        <PageReady />
      </body>
    </html>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  useHeadingFocus();
  return (
    <>
      <ViewerProvider initial={loaderData.viewer} site={loaderData.site}>
        <DeviceStorage />
        <PagePreloader />
        <NoConnection />
        <AuthRequiredProvider>
          <BookingGate>
            <RenderedAtContext value={loaderData.at}>
              <LiveProvider>
                <Outlet />
              </LiveProvider>
            </RenderedAtContext>
          </BookingGate>
        </AuthRequiredProvider>
      </ViewerProvider>
      <Toasts />
    </>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const { requestId } = use(PageHeadContext);
  const status = isRouteErrorResponse(error) ? error.status : 0;
  // Proxies answer so during a restart.
  if (isRouteErrorResponse(error) && status >= 502 && status <= 504) {
    const isOurs = /^maintenance$|"reason":"maintenance"/.test(String(error.data));
    return <ClosedScreen reason={isOurs ? 'maintenance' : 'outage'} />;
  }
  return <ErrorScreen kind={status === 404 ? 'not_found' : 'defect'} requestId={requestId} />;
}

function NoConnection() {
  const leaving = useNavigation().state === 'loading';
  const waiting = useWaitingForNetwork();
  const { hash } = useLocation();
  const navigate = useNavigate();
  // Hash navigation cancels the pending one.
  const stay = () => void navigate({ hash: hash || '#content' }, { replace: true, preventScrollReset: true });
  return (
    <div
      role="status"
      data-bar={leaving && waiting ? '' : undefined}
      className="pointer-events-none fixed inset-x-0 bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-60 p-3 lg:bottom-0"
    >
      {leaving && waiting && (
        <div className="pointer-events-auto mx-auto flex max-w-lg items-center gap-x-3 rounded-card border border-line bg-card py-1.5 pr-1.5 pl-4 shadow-soft">
          <p className="flex-1">{m.web_no_connection()}</p>
          <Button variant="quiet" size="sm" onClick={stay}>
            {m.web_leave_stay()}
          </Button>
        </div>
      )}
    </div>
  );
}

type Watch = ComponentType<{ onUnread: ((count: number) => void) | null }>;

/** Keeps signed-in people's pages live. Guests never download the watcher. */
function LiveProvider({ children }: { children: ReactNode }) {
  const [count, setCount] = useState(0);
  const { viewer, leaving } = useSession();
  const here = viewer !== null && !leaving;
  const on = useHasMessages() && here;
  const [Watch, setWatch] = useState<Watch | null>(null);
  // A transition, so boundaries awaiting hydration aren't replaced by fallbacks.
  const keep = useCallback((next: number) => startTransition(() => setCount(next)), []);
  const missing = here && Watch === null;
  useEffect(() => {
    if (!missing) return;
    const load = () => {
      import('./live-watch.tsx').then(
        ({ LiveWatch }) => setWatch(() => LiveWatch),
        // Optional while offline; retried on reconnect.
        () => undefined,
      );
    };
    load();
    window.addEventListener('online', load);
    return () => window.removeEventListener('online', load);
  }, [missing]);
  return (
    <UnreadContext value={on ? count : 0}>
      {children}
      {here && Watch && <Watch key={viewer.id} onUnread={on ? keep : null} />}
    </UnreadContext>
  );
}
