import { AddressChangePage } from '#/features/accounts/ui/address-change-page.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { TokenPage, useMailedToken } from '../link-token.tsx';
import { noReferrer } from '../no-referrer.ts';
import { unlisted } from '../page-meta.ts';

/** Keeps the token of a link from an earlier release out of Referer headers. */
export const headers = noReferrer;

export const meta = unlisted(m.address_change_title);

/** Linked in the email to the former address. */
export default function AddressChange() {
  return (
    <TokenPage title={m.address_change_title()} token={useMailedToken()}>
      {(token) => (
        <DataProvider>
          <AddressChangePage token={token} />
        </DataProvider>
      )}
    </TokenPage>
  );
}
