import { useEffect, type ComponentType } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import {
  createRoutesStub,
  matchPath,
  Outlet,
  RouterContextProvider,
  useLocation,
  type ActionFunction,
  type LoaderFunction,
  type ShouldRevalidateFunction,
} from 'react-router';
import { expect, vi } from 'vitest';
import { cleanup, render } from 'vitest-browser-react';
import routes, { type RouteEntry } from 'virtual:routes';
import { pageRequest } from '#/app/web/contexts.ts';
import Root, { ErrorBoundary, loader as rootLoader } from '#/app/web/root.tsx';
import { DataProvider } from '#/web/api.tsx';
import { DataOwnerContext } from '#/web/data-owner.ts';
import { answer, refusal, serverApi } from './answers.ts';
import { recordedAt, recordedFor, type Who } from './recorded.ts';

interface RouteModule {
  loader?: LoaderFunction;
  action?: ActionFunction;
  shouldRevalidate?: ShouldRevalidateFunction;
  default?: ComponentType;
  ErrorBoundary?: ComponentType;
}

const modules = import.meta.glob<RouteModule>(['/src/app/web/routes/*.tsx', '!**/*.test.tsx']);

let shown = '';

/** Current address: path, search and hash. */
export function address(): string {
  return shown;
}

/** Records the address for `address()`. */
function Addressed() {
  const { pathname, search, hash } = useLocation();
  useEffect(() => {
    shown = pathname + search + hash;
  }, [pathname, search, hash]);
  return <Outlet />;
}

/**
 * Renders a route as a demo user. Answers default to those recorded for that user, and the clock to the recording time.
 * Other routes are empty. `state` is the history entry's.
 */
export async function openPage(
  path: string,
  {
    as = 'guest',
    answers = {},
    at,
    state,
  }: { as?: Who; answers?: Readonly<Record<string, unknown>>; at?: Date; state?: unknown } = {},
): Promise<void> {
  // Two mounted pages would both write unread counts to the title.
  await cleanup();
  vi.setSystemTime(at ?? recordedAt(as));
  const recorded = recordedFor(as);
  answer({
    ...recorded,
    // Pages save the browser's time zone on accounts without one.
    'accounts.updatePreferences': recorded['accounts.me'],
    // Every sign-in form asks, for the suggestions of its email field.
    'POST /api/auth/request-passkey': refusal(403, 'forbidden', 'passkeys_off'),
  });
  answer(answers);
  const context = new RouterContextProvider();
  context.set(pageRequest, {
    api: serverApi(),
    nonce: '',
    requestId: '',
    appUrl: 'https://italk.example',
    demo: true,
    closed: null,
    report: (error) => console.error(error),
  });
  const { pathname, search, hash } = new URL(path, 'https://italk.example');
  const children = await Promise.all(routes.map((route) => drawn(route, '', pathname)));
  const Stub = createRoutesStub(
    [
      {
        id: 'root',
        path: '/',
        loader: rootLoader as unknown as LoaderFunction,
        Component: Root,
        ErrorBoundary,
        HydrateFallback: () => null,
        children: [{ id: 'addressed', Component: Addressed, children }],
      },
    ],
    context,
  );
  forgetData();
  shown = '';
  await render(<Stub initialEntries={[{ pathname, search, hash, state }]} />);
  // Loaders finish before the route renders.
  await expect.poll(address).not.toBe('');
}

/** Replaces the browser's cached data by rendering with a new owner. */
function forgetData(): void {
  const root = createRoot(document.createElement('div'));
  flushSync(() =>
    root.render(
      <DataOwnerContext value={crypto.randomUUID()}>
        <DataProvider>{null}</DataProvider>
      </DataOwnerContext>,
    ),
  );
  root.unmount();
}

/** Loads the route's module if it's on the path to this page; otherwise renders nothing. */
async function drawn(route: RouteEntry, above: string, pathname: string): Promise<object> {
  const path = [above, route.path].filter(Boolean).join('/');
  const children = await Promise.all(route.children.map((child) => drawn(child, path, pathname)));
  const end = route.children.length === 0;
  const leadsHere = end
    ? matchPath(`/${path}`, pathname) !== null
    : route.children.some((child) => leadsTo(child, path, pathname));
  const module = leadsHere ? await modules[`/src/app/web/${route.file}`]!() : null;
  return {
    id: route.file + path,
    path: route.path,
    ...(route.index ? { index: true } : end ? {} : { children }),
    ...(module
      ? {
          loader: module.loader,
          action: module.action,
          shouldRevalidate: module.shouldRevalidate,
          Component: module.default,
          ErrorBoundary: module.ErrorBoundary,
        }
      : { Component: end ? () => null : Outlet }),
  };
}

function leadsTo({ path, children }: RouteEntry, above: string, pathname: string): boolean {
  const whole = [above, path].filter(Boolean).join('/');
  if (children.length > 0) return children.some((child) => leadsTo(child, whole, pathname));
  return matchPath(`/${whole}`, pathname) !== null;
}
