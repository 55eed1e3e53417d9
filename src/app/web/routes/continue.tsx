import { useLocation } from 'react-router';
import { MailedLinkPage } from '#/features/accounts/ui/mailed-link.tsx';
import { ProviderReturn } from '#/features/accounts/ui/provider-return.tsx';
import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { noReferrer } from '../no-referrer.ts';
import { unlisted } from '../page-meta.ts';
import type { Route } from './+types/continue.ts';

/** Keeps the provider's answer out of Referer headers. */
export const headers = noReferrer;

export const meta = unlisted(m.accounts_sign_in_title);

export default function ContinuePage({ params }: Route.ComponentProps) {
  const { search } = useLocation();
  const hydrated = useHydrated();
  if (!hydrated)
    return (
      <MailedLinkPage title={m.accounts_sign_in_title()}>
        <Spinner label={m.accounts_provider_returning()} />
      </MailedLinkPage>
    );
  return <ProviderReturn provider={params.provider} answer={search} />;
}
