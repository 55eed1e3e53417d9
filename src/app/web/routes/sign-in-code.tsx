import { useSearchParams } from 'react-router';
import { SignInCode } from '#/features/accounts/ui/sign-in-code.tsx';
import { MailedLinkPage } from '#/features/accounts/ui/mailed-link.tsx';
import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { useLinkToken } from '../link-token.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/sign-in-code.ts';

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.accounts_link_title());
}

export default function SignInCodePage() {
  const code = useLinkToken();
  const [query] = useSearchParams();
  if (code === null)
    return (
      <MailedLinkPage title={m.accounts_link_title()}>
        <Spinner label={m.web_loading()} />
      </MailedLinkPage>
    );
  return <SignInCode key={code} code={code} next={query.get('next')} />;
}
