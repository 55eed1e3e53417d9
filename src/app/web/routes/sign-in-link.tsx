import { SignInLink } from '#/features/accounts/ui/sign-in-link.tsx';
import { MailedLinkPage } from '#/features/accounts/ui/mailed-link.tsx';
import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { useLinkToken } from '../link-token.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/sign-in-link.ts';

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.accounts_link_title());
}

export default function SignInLinkPage() {
  const token = useLinkToken();
  if (token === null)
    return (
      <MailedLinkPage title={m.accounts_link_title()}>
        <Spinner label={m.web_loading()} />
      </MailedLinkPage>
    );
  return <SignInLink key={token} token={token} />;
}
