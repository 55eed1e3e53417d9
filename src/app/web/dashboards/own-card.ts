import type { Viewer } from '#/features/accounts/contract.ts';
import { contactCard, contactFileName, specialistCard } from '#/features/calendar/card/rules.ts';
import type { PublicSite } from '#/features/settings/contract.ts';
import { api } from '#/web/api.tsx';
import type { Download } from '#/web/download.ts';

export async function ownCard({ email }: Viewer, { siteName }: PublicSite): Promise<Download> {
  const [listing, places] = await Promise.all([api.providers.mine.call(), api.providers.places.list.call()]);
  const card = specialistCard({
    ...listing,
    siteName,
    siteUrl: window.location.origin,
    email,
    slug: listing.listed ? listing.slug : null,
    place: places.find(({ closed }) => !closed) ?? null,
  });
  return {
    name: contactFileName,
    content: new Blob([contactCard(card)], { type: 'text/vcard;charset=utf-8' }),
  };
}
