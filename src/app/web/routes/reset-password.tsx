import { useSearchParams } from 'react-router';
import { ResetPassword } from '#/features/accounts/ui/reset-password.tsx';
import { m } from '#/texts/messages.js';
import { TokenPage, useMailedToken } from '../link-token.tsx';
import { noReferrer } from '../no-referrer.ts';
import { unlisted } from '../page-meta.ts';

/** Keeps the token of a link from an earlier release out of Referer headers. */
export const headers = noReferrer;

export const meta = unlisted(m.accounts_reset_page_title);

export default function Reset() {
  const [query] = useSearchParams();
  return (
    <TokenPage title={m.accounts_forgot_title()} token={useMailedToken()}>
      {(token) => (
        <ResetPassword token={token} next={query.get('next')} asksName={query.get('asksName') === 'true'} />
      )}
    </TokenPage>
  );
}
