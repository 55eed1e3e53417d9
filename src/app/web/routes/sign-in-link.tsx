import { SignInLink } from '#/features/accounts/ui/sign-in-link.tsx';
import { m } from '#/texts/messages.js';
import { TokenPage, useLinkToken } from '../link-token.tsx';
import { unlisted } from '../page-meta.ts';

export const meta = unlisted(m.accounts_link_title);

export default function SignInLinkPage() {
  return (
    <TokenPage title={m.accounts_link_title()} token={useLinkToken()}>
      {(token) => <SignInLink key={token} token={token} />}
    </TokenPage>
  );
}
