import { MailedLinkPage } from '#/features/accounts/ui/mailed-link.tsx';
import { ReturnToApp } from '#/features/accounts/ui/return-to-app.tsx';
import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { useLinkToken } from '../link-token.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/return-to-app.ts';

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.accounts_app_link_title());
}

export default function ReturnToAppPage() {
  const token = useLinkToken();
  if (token === null)
    return (
      <MailedLinkPage title={m.accounts_app_link_title()}>
        <Spinner label={m.web_loading()} />
      </MailedLinkPage>
    );
  return <ReturnToApp key={token} token={token} />;
}
