import { useCallback, useEffect, useMemo, type ReactNode } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { MailedLinkPage } from '#/features/accounts/ui/mailed-link.tsx';
import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { useHydrated } from '#/web/hydrated.ts';

/** Reads a secret token from the URL fragment, which browsers never send; null before hydration. */
export function useLinkToken(): string | null {
  const { hash } = useLocation();
  const hydrated = useHydrated();
  return hydrated ? hash.slice(1) : null;
}

/** Like `useLinkToken`, and reads the query of links that earlier releases emailed. */
export function useMailedToken(): string | null {
  const [query] = useSearchParams();
  const linked = useLinkToken();
  return linked === null ? null : linked || (query.get('token') ?? '');
}

/**
 * Returns the link's token, stored in this browser until `forget`: the verification email after sign-up doesn't carry
 * it. Empty if absent.
 */
export function useKeptToken(name: string): { token: string | null; forget: () => void } {
  const linked = useLinkToken();
  const kept = useMemo(() => (linked === '' ? readKept(name) : ''), [linked, name]);
  useEffect(() => {
    if (linked) saveToken(name, linked);
  }, [linked, name]);
  const forget = useCallback(() => saveToken(name, null), [name]);
  return { token: linked === null ? null : linked || kept, forget };
}

function readKept(name: string): string {
  try {
    return localStorage.getItem(name) ?? '';
  } catch {
    // Storage is unavailable.
    return '';
  }
}

function saveToken(name: string, token: string | null): void {
  try {
    if (token === null) localStorage.removeItem(name);
    else localStorage.setItem(name, token);
  } catch {
    // Storage is unavailable.
  }
}

/** The page that a mailed link opens; waits until the token is known. */
export function TokenPage({
  title,
  token,
  children,
}: {
  title: string;
  token: string | null;
  children: (token: string) => ReactNode;
}) {
  if (token !== null) return children(token);
  return (
    <MailedLinkPage title={title}>
      <Spinner label={m.web_loading()} />
    </MailedLinkPage>
  );
}
