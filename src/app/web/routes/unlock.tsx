import { useSearchParams } from 'react-router';
import { UnlockSignIn } from '#/features/accounts/ui/unlock-sign-in.tsx';
import { m } from '#/texts/messages.js';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/unlock.ts';

/** Keeps the token out of Referer headers. */
export function headers() {
  return { 'referrer-policy': 'no-referrer' };
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.accounts_unlock_page_title());
}

export default function Unlock() {
  const [query] = useSearchParams();
  return <UnlockSignIn token={query.get('token') ?? ''} />;
}
