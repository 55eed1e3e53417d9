import { EmailChangePage } from '#/features/accounts/ui/email-change-page.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { TokenPage, useLinkToken } from '../link-token.tsx';
import { noReferrer } from '../no-referrer.ts';
import { unlisted } from '../page-meta.ts';

export const headers = noReferrer;

export const meta = unlisted(m.email_change_page_title);

/** Linked in the emails to both addresses. */
export default function EmailChange() {
  return (
    <TokenPage title={m.email_change_page_title()} token={useLinkToken()}>
      {(token) => (
        <DataProvider>
          <EmailChangePage token={token} />
        </DataProvider>
      )}
    </TokenPage>
  );
}
