import { useSearchParams } from 'react-router';
import { SignInCode } from '#/features/accounts/ui/sign-in-code.tsx';
import { m } from '#/texts/messages.js';
import { TokenPage, useLinkToken } from '../link-token.tsx';
import { unlisted } from '../page-meta.ts';

export const meta = unlisted(m.accounts_link_title);

export default function SignInCodePage() {
  const [query] = useSearchParams();
  return (
    <TokenPage title={m.accounts_link_title()} token={useLinkToken()}>
      {(code) => <SignInCode key={code} code={code} next={query.get('next')} />}
    </TokenPage>
  );
}
