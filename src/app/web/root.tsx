import { use, type ReactNode } from 'react';
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
} from 'react-router';
import sans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url';
import serif from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2?url';
import { AuthRequiredProvider } from '#/features/accounts/ui/auth-required.tsx';
import { ViewerProvider } from '#/features/accounts/ui/session.tsx';
import { SkipLink } from '#/web/components/page.tsx';
import { Toasts } from '#/web/components/toast.tsx';
import { lazyPart, PageReady } from '#/web/lazy-part.tsx';
import { RenderedAtContext } from '#/web/rendered-at.ts';
import type { Route } from './+types/root.ts';
import { BookingDesk } from './booking-desk.tsx';
import { pageRequest } from './contexts.ts';
import { LiveProvider } from './live-provider.tsx';
import { DeviceKeeper } from './offline/device-keeper.tsx';
import { NoConnection } from './no-connection.tsx';
import { PageHeadContext } from './page-head.ts';
import { PagePreloader } from './page-preloader.tsx';

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
  return (
    <>
      <ViewerProvider initial={loaderData.viewer} site={loaderData.site}>
        <DeviceKeeper />
        <PagePreloader />
        <NoConnection />
        <AuthRequiredProvider>
          <BookingDesk>
            <RenderedAtContext value={loaderData.at}>
              <LiveProvider>
                <Outlet />
              </LiveProvider>
            </RenderedAtContext>
          </BookingDesk>
        </AuthRequiredProvider>
      </ViewerProvider>
      <Toasts />
    </>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const { requestId } = use(PageHeadContext);
  const status = isRouteErrorResponse(error) ? error.status : null;
  if (isRouteErrorResponse(error) && error.status === 503)
    return <ClosedScreen reason={error.data === 'outage' ? 'outage' : 'maintenance'} />;
  return <ErrorScreen kind={status === 404 ? 'not_found' : 'defect'} requestId={requestId} />;
}
