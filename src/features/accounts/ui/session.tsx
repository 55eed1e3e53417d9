import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useRevalidator } from 'react-router';
import type { PublicSite } from '#/features/settings/contract.ts';
import { m } from '#/texts/messages.js';
import { AccountZoneContext } from '#/web/account-zone.ts';
import { useToast } from '#/web/components/toast.tsx';
import { DataOwnerContext } from '#/web/data-owner.ts';
import { leave } from '#/web/leaving.ts';
import type { accountsContract, Viewer } from '../contract.ts';

interface Session {
  viewer: Viewer | null;
  site: PublicSite;
  /** Asks the server who is signed in now; to be called after every sign-in. */
  refresh: () => Promise<void>;
  /**
   * Ends the session and says so, unless the person would rather save what isn't; true if it has ended. Where to go then
   * is the screen's choice.
   */
  signOut: () => Promise<boolean>;
  /** Whether the person is signing out on this very page. */
  leaving: boolean;
}

const SessionContext = createContext<Session | null>(null);

/** Knows who is signed in and what the site is, beginning with what the server rendered. */
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
  const { toast } = useToast();
  const [now, setNow] = useState({ initial, viewer: initial, site, leaving: false });
  // The page's own data was loaded anew, and says who is signed in.
  if (now.initial !== initial) setNow({ initial, viewer: initial, site, leaving: false });

  // The page's own data says who is signed in; what was fetched for somebody else isn't shown again.
  const refresh = revalidate;

  const signOut = useCallback(
    () =>
      leave(async () => {
        // Until the page's data says that nobody is signed in.
        setNow((last) => ({ ...last, leaving: true }));
        const { ended, said } = await import('./sign-out.ts').then(
          ({ endSession }) => endSession(),
          () => ({
            ended: false,
            said: {
              tone: 'destructive' as const,
              title: m.accounts_sign_out_error_title(),
              description: m.accounts_error_unreachable(),
            },
          }),
        );
        if (ended) await refresh();
        else setNow((last) => ({ ...last, leaving: false }));
        toast(said);
        return ended;
      }),
    [refresh, toast],
  );

  // Mails name times in the person's own zone: it is taken from the browser until they choose one.
  const zoneless = now.viewer !== null && now.viewer.timeZone === null;
  useEffect(() => {
    if (!zoneless) return;
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    rememberZone(timeZone).then(
      (viewer) => setNow((last) => (last.viewer?.id === viewer.id ? { ...last, viewer } : last)),
      // It is asked again with the next page.
      () => undefined,
    );
  }, [zoneless]);

  const session = useMemo(
    () => ({ viewer: now.viewer, site: now.site, refresh, signOut, leaving: now.leaving }),
    [now, refresh, signOut],
  );
  return (
    <DataOwnerContext value={now.viewer?.id ?? null}>
      <AccountZoneContext value={now.viewer?.timeZone ?? null}>
        <SessionContext value={session}>{children}</SessionContext>
      </AccountZoneContext>
    </DataOwnerContext>
  );
}

/** Public pages don't carry the API's client, so it comes when it is needed. */
async function rememberZone(timeZone: string): Promise<Viewer> {
  const { createApi } = await import('#/web/api.tsx');
  return createApi<{ accounts: typeof accountsContract }>().accounts.updatePreferences.call({ timeZone });
}

/** The session: viewer, site, and the ways to renew and end it. */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession needs a ViewerProvider around it');
  return session;
}

/** Who is signed in; null for a guest. */
export function useViewer(): Viewer | null {
  return useSession().viewer;
}

/** The site as every page may know it, with the flags of who is signed in. */
export function useSite(): PublicSite {
  return useSession().site;
}
