import { ReturnToApp } from '#/features/accounts/ui/return-to-app.tsx';
import { m } from '#/texts/messages.js';
import { TokenPage, useLinkToken } from '../link-token.tsx';
import { unlisted } from '../page-meta.ts';

export const meta = unlisted(m.accounts_app_link_title);

export default function ReturnToAppPage() {
  return (
    <TokenPage title={m.accounts_app_link_title()} token={useLinkToken()}>
      {(token) => <ReturnToApp key={token} token={token} />}
    </TokenPage>
  );
}
