import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { Container } from '#/web/components/page.tsx';
import { ClaimScreen } from '../claim/claim-screen.tsx';
import { noReferrer } from '../no-referrer.ts';
import { unlisted } from '../page-meta.ts';

export const headers = noReferrer;

export const meta = unlisted(m.claim_page_title);

/** Linked in the invitation email to new clients. */
export default function ClientInvitation() {
  const viewer = useViewer();
  return (
    <Container className="py-10 sm:py-16">
      {/* A different viewer needs a fresh query cache. */}
      <DataProvider key={viewer?.id}>
        <ClaimScreen />
      </DataProvider>
    </Container>
  );
}
