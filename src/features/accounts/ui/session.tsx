import {
  createContext,
  Fragment,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from 'react';
import { useRevalidator } from 'react-router';
import type { PublicSite } from '#/features/settings/contract.ts';
import { m } from '#/texts/messages.js';
import { AccountZoneContext } from '#/web/account-zone.ts';
import { toast } from '#/web/components/toast.tsx';
import { DataOwnerContext } from '#/web/data-owner.ts';
import { leave } from '#/web/leaving.ts';
import { deviceZone } from '#/kernel/date-text.ts';
import type { Viewer } from '../contract.ts';
import { useSameSession } from './session-tabs.ts';

interface Session {
  /** `loading` while who is signed in changes. */
  state: 'loading' | 'signed_in' | 'signed_out';
  viewer: Viewer | null;
  site: PublicSite;
  /** Call it after every sign-in. */
  refresh: () => Promise<void>;
  /** Call it when the session changed elsewhere. What a person typed goes with them. */
  follow: () => Promise<void>;
  /** Asks about unsaved changes first. True if the session ended; the caller navigates. */
  signOut: () => Promise<boolean>;
  leaving: boolean;
}

const SessionContext = createContext<Session | null>(null);

export function ViewerProvider({
  initial,
  site,
  children,
}: {
  initial: Viewer | null;
  site: PublicSite;
  children: ReactNode;
}) {
  const { revalidate } = useRevalidator();
  const [now, setNow] = useState({
    initial,
    viewer: initial,
    site,
    leaving: false,
    following: false,
    turn: 0,
  });
  if (now.initial !== initial) {
    const left = now.following && now.viewer !== null && now.viewer.id !== initial?.id;
    const turn = now.turn + Number(left);
    setNow({ initial, viewer: initial, site, leaving: false, following: false, turn });
  }

  // Revalidation updates the viewer and hides another person's cached queries.
  const refresh = revalidate;

  const follow = useCallback(async () => {
    setNow((last) => ({ ...last, following: true }));
    await refresh();
  }, [refresh]);
  useSameSession(now.viewer, follow);

  const signOut = useCallback(
    () =>
      leave(async () => {
        // Reset once route data shows no viewer.
        setNow((last) => ({ ...last, leaving: true }));
        const { ended, said } = await import('./sign-out.ts').then(
          ({ endSession }) => endSession(),
          () => ({
            ended: false,
            said: {
              tone: 'destructive' as const,
              title: m.accounts_sign_out_error_title(),
              description: m.web_unreachable(),
            },
          }),
        );
        if (ended) await refresh();
        else setNow((last) => ({ ...last, leaving: false }));
        toast(said);
        return ended;
      }),
    [refresh],
  );

  // Emails need a time zone; use the browser's until one is chosen.
  const zoneless = now.viewer !== null && now.viewer.timeZone === null;
  useEffect(() => {
    if (!zoneless) return;
    rememberZone(deviceZone()).then(
      (viewer) => setNow((last) => (last.viewer?.id === viewer.id ? { ...last, viewer } : last)),
      // The next page load retries.
      () => undefined,
    );
  }, [zoneless]);

  const session = useMemo(() => {
    const { viewer, leaving, following } = now;
    const state = leaving || following ? 'loading' : viewer ? 'signed_in' : 'signed_out';
    return { state, viewer, site: now.site, refresh, follow, signOut, leaving } as const;
  }, [now, refresh, follow, signOut]);
  return (
    <DataOwnerContext value={now.viewer?.id ?? null}>
      <AccountZoneContext value={now.viewer?.timeZone ?? null}>
        <SessionContext value={session}>
          <Fragment key={now.turn}>{children}</Fragment>
        </SessionContext>
      </AccountZoneContext>
    </DataOwnerContext>
  );
}

/** Public pages don't include the API client. */
async function rememberZone(timeZone: string): Promise<Viewer> {
  const { api } = await import('#/web/api.tsx');
  return api.accounts.updatePreferences.call({ timeZone });
}

export function useSession(): Session {
  return use(SessionContext)!;
}

export function useViewer(): Viewer | null {
  return useSession().viewer;
}

export function useSite(): PublicSite {
  return useSession().site;
}
