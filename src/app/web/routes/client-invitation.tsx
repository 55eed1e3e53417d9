import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { Container } from '#/web/components/page.tsx';
import { ClaimScreen } from '../claim/claim-screen.tsx';
import { noReferrer } from '../no-referrer.ts';
import { unlisted } from '../page-meta.ts';
import { SiteFrame } from '../site-frame.tsx';
import { loadServices } from '../service-titles.ts';
import type { Route } from './+types/client-invitation.ts';

export const loader = loadServices;

export const headers = noReferrer;

export const meta = unlisted(m.claim_page_title);

/** Linked in the invitation email to new clients. */
export default function ClientInvitation({ loaderData: { services } }: Route.ComponentProps) {
  const viewer = useViewer();
  return (
    <SiteFrame services={services}>
      <Container className="py-10 sm:py-16">
        {/* A different viewer needs a fresh query cache. */}
        <DataProvider key={viewer?.id}>
          <ClaimScreen />
        </DataProvider>
      </Container>
    </SiteFrame>
  );
}
