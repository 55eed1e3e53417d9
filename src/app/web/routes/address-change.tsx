import { AddressChangePage } from '#/features/accounts/ui/address-change-page.tsx';
import { MailedLinkPage } from '#/features/accounts/ui/mailed-link.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { useMailedToken } from '../link-token.ts';
import { noReferrer } from '../no-referrer.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/address-change.ts';

/** Keeps the token of a link from an earlier release out of Referer headers. */
export const headers = noReferrer;

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.address_change_title());
}

/** Linked in the email to the former address. */
export default function AddressChange() {
  const token = useMailedToken();
  if (token === null)
    return (
      <MailedLinkPage title={m.address_change_title()}>
        <Spinner label={m.web_loading()} />
      </MailedLinkPage>
    );
  return (
    <DataProvider>
      <AddressChangePage token={token} />
    </DataProvider>
  );
}
