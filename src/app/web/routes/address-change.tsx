import { AddressChangePage } from '#/features/accounts/ui/address-change-page.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { pageRequest } from '../contexts.ts';
import { nullIfMissing } from '../load-errors.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/address-change.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const token = new URL(request.url).searchParams.get('token') ?? '';
  // Expired links are expected, not errors.
  const change = token === '' ? null : await api.addressChange.get({ token }).catch(nullIfMissing);
  return { token, change };
}

/** Keeps the token out of Referer headers. */
export function headers() {
  return { 'referrer-policy': 'no-referrer' };
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.address_change_title());
}

/** Linked in the email to the former address. */
export default function AddressChange({ loaderData: { token, change } }: Route.ComponentProps) {
  return (
    <DataProvider>
      <AddressChangePage token={token} change={change} />
    </DataProvider>
  );
}
