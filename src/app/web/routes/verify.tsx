import { useSearchParams } from 'react-router';
import { VerifyAddress } from '#/features/accounts/ui/verify-address.tsx';
import { m } from '#/texts/messages.js';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/verify.ts';

/** Keeps the token out of Referer headers. */
export function headers() {
  return { 'referrer-policy': 'no-referrer' };
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.accounts_verify_page_title());
}

export default function Verify() {
  const [query] = useSearchParams();
  return <VerifyAddress token={query.get('token') ?? ''} next={query.get('next')} />;
}
