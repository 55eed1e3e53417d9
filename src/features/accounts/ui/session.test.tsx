import { createRoutesStub, useLoaderData } from 'react-router';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { pressWith } from '../../../../tests/components/answers.ts';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import type { PublicSite } from '#/features/settings/contract.ts';
import type { Viewer } from '../contract.ts';
import { useSession, ViewerProvider } from './session.tsx';

const client = recordedFor('client');
const me = client['accounts.me'] as unknown as Viewer;
const site = client['settings.site'] as unknown as PublicSite;
const state = page.getByRole('status');

function Shown() {
  const { state: now, follow, signOut } = useSession();
  return (
    <>
      <p role="status">{now}</p>
      <button type="button" onClick={() => void follow()}>
        Follow
      </button>
      <button type="button" onClick={() => void signOut()}>
        Sign Out
      </button>
    </>
  );
}

function Page() {
  const { viewer } = useLoaderData<{ viewer: Viewer | null }>();
  return (
    <ViewerProvider initial={viewer} site={site}>
      <Shown />
    </ViewerProvider>
  );
}

async function open(first: Viewer | null) {
  let loaded = Promise.resolve({ viewer: first });
  const Stub = createRoutesStub([
    { path: '/', loader: () => loaded, Component: Page, HydrateFallback: () => null },
  ]);
  await render(<Stub />);
  return () => {
    const { promise, resolve } = Promise.withResolvers<{ viewer: Viewer | null }>();
    loaded = promise;
    return (viewer: Viewer | null) => resolve({ viewer });
  };
}

test('knows signed out, signed in, and loading in between', async () => {
  const nextLoad = await open(null);
  await expect.element(state).toHaveTextContent('signed_out');
  let load = nextLoad();
  await page.getByRole('button', { name: 'Follow' }).click();
  await expect.element(state).toHaveTextContent('loading');
  load(me);
  await expect.element(state).toHaveTextContent('signed_in');
  load = nextLoad();
  await pressWith(page.getByRole('button', { name: 'Sign Out' }), {
    'POST /api/auth/sign-out': { signedIn: false },
  });
  await expect.element(state).toHaveTextContent('loading');
  load(null);
  await expect.element(state).toHaveTextContent('signed_out');
});

test('knows who is signed in from the start', async () => {
  await open(me);
  await expect.element(state).toHaveTextContent('signed_in');
});
