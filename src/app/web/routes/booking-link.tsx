import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { Container } from '#/web/components/page.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { BookingLinkScreen } from '../booking-link/booking-link-screen.tsx';
import { useLinkToken } from '../link-token.tsx';
import { unlisted } from '../page-meta.ts';

export const meta = unlisted(m.booking_link_page_title);

/** Linked in the guest booking email. */
export default function BookingLink() {
  const token = useLinkToken();
  return (
    <Container className="py-10 sm:py-16">
      {token === null ? (
        <Loading>
          <Skeleton className="mx-auto h-72 max-w-reading" />
        </Loading>
      ) : (
        <DataProvider>
          <BookingLinkScreen key={token} token={token} />
        </DataProvider>
      )}
    </Container>
  );
}
