import { useSearchParams } from 'react-router';
import { MailedLinkPage } from '#/features/accounts/ui/mailed-link.tsx';
import { VerifyAddress } from '#/features/accounts/ui/verify-address.tsx';
import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { useMailedToken } from '../link-token.ts';
import { noReferrer } from '../no-referrer.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/verify.ts';

/** Keeps the token of a link from an earlier release out of Referer headers. */
export const headers = noReferrer;

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.accounts_verify_page_title());
}

export default function Verify() {
  const [query] = useSearchParams();
  const token = useMailedToken();
  if (token === null)
    return (
      <MailedLinkPage title={m.accounts_verify_title()}>
        <Spinner label={m.web_loading()} />
      </MailedLinkPage>
    );
  return <VerifyAddress token={token} next={query.get('next')} />;
}
