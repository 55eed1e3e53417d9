import { useSearchParams } from 'react-router';
import { MailedLinkPage } from '#/features/accounts/ui/mailed-link.tsx';
import { ResetPassword } from '#/features/accounts/ui/reset-password.tsx';
import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { useMailedToken } from '../link-token.ts';
import { noReferrer } from '../no-referrer.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/reset-password.ts';

/** Keeps the token of a link from an earlier release out of Referer headers. */
export const headers = noReferrer;

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.accounts_reset_page_title());
}

export default function Reset() {
  const [query] = useSearchParams();
  const token = useMailedToken();
  if (token === null)
    return (
      <MailedLinkPage title={m.accounts_forgot_title()}>
        <Spinner label={m.web_loading()} />
      </MailedLinkPage>
    );
  return <ResetPassword token={token} next={query.get('next')} asksName={query.get('asksName') === 'true'} />;
}
