import { useSearchParams } from 'react-router';
import { ResetPassword } from '#/features/accounts/ui/reset-password.tsx';
import { m } from '#/texts/messages.js';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/reset-password.ts';

/** Keeps the token out of Referer headers. */
export function headers() {
  return { 'referrer-policy': 'no-referrer' };
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.accounts_reset_page_title());
}

export default function Reset() {
  const [query] = useSearchParams();
  return (
    <ResetPassword
      token={query.get('token') ?? ''}
      next={query.get('next')}
      asksName={query.get('asksName') === 'true'}
    />
  );
}
