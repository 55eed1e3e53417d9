import { AddressChangePage } from '#/features/accounts/ui/address-change-page.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { pageRequest } from '../contexts.ts';
import { nullIfMissing } from '../missing.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/address-change.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const token = new URL(request.url).searchParams.get('token') ?? '';
  // A link that works no more is the reader's to know, and no defect.
  const change = token === '' ? null : await api.addressChange.get({ token }).catch(nullIfMissing);
  return { token, change };
}

/** What is secret in its address isn't told to whatever is opened from the page. */
export function headers() {
  return { 'referrer-policy': 'no-referrer' };
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.address_change_title());
}

/** Where the link leads that was mailed to the address that an account had. */
export default function AddressChange({ loaderData: { token, change } }: Route.ComponentProps) {
  return (
    <DataProvider>
      <AddressChangePage token={token} change={change} />
    </DataProvider>
  );
}
