import { UnlockSignIn } from '#/features/accounts/ui/unlock-sign-in.tsx';
import { m } from '#/texts/messages.js';
import { TokenPage, useMailedToken } from '../link-token.tsx';
import { noReferrer } from '../no-referrer.ts';
import { unlisted } from '../page-meta.ts';

/** Keeps the token of a link from an earlier release out of Referer headers. */
export const headers = noReferrer;

export const meta = unlisted(m.accounts_unlock_page_title);

export default function Unlock() {
  return (
    <TokenPage title={m.accounts_unlock_page_title()} token={useMailedToken()}>
      {(token) => <UnlockSignIn token={token} />}
    </TokenPage>
  );
}
