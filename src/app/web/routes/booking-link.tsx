import { data } from 'react-router';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { Container } from '#/web/components/page.tsx';
import { BookingLinkScreen } from '../booking-link/booking-link-screen.tsx';
import { pageRequest } from '../contexts.ts';
import { nullIfMissing } from '../missing.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import { SiteFrame } from '../site-frame.tsx';
import type { Route } from './+types/booking-link.ts';

export async function loader({ context, params: { token } }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const [list, me, request] = await Promise.all([
    api.catalogue.services(),
    api.accounts.me(),
    // A link that isn't whole is the reader's to know, and no defect.
    api.booking.requests.read({ token }).catch(nullIfMissing),
  ]);
  const services = list.map(({ id, title }) => ({ id, title }));
  return data(
    { services, viewerId: me?.id ?? null, request },
    { status: request ? 200 : 404, headers: { 'referrer-policy': 'no-referrer' } },
  );
}

/** What is secret in its address isn't told to whatever is opened from the page. */
export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.booking_link_page_title());
}

/** Where the link leads that was mailed to somebody who books without an account: it books, and leads back afterwards. */
export default function BookingLink({
  loaderData: { services, viewerId, request },
  params: { token },
}: Route.ComponentProps) {
  return (
    <SiteFrame services={services}>
      <Container className="py-10 sm:py-16">
        <DataProvider>
          <BookingLinkScreen key={token} token={token} known={{ viewerId, request }} />
        </DataProvider>
      </Container>
    </SiteFrame>
  );
}
