import { useSearchParams } from 'react-router';
import { VerifyAddress } from '#/features/accounts/ui/verify-address.tsx';
import { m } from '#/texts/messages.js';
import { TokenPage, useMailedToken } from '../link-token.tsx';
import { noReferrer } from '../no-referrer.ts';
import { unlisted } from '../page-meta.ts';

/** Keeps the token of a link from an earlier release out of Referer headers. */
export const headers = noReferrer;

export const meta = unlisted(m.accounts_verify_page_title);

export default function Verify() {
  const [query] = useSearchParams();
  return (
    <TokenPage title={m.accounts_verify_title()} token={useMailedToken()}>
      {(token) => <VerifyAddress token={token} next={query.get('next')} />}
    </TokenPage>
  );
}
