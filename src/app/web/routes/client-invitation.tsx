import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { Container } from '#/web/components/page.tsx';
import { ClaimScreen } from '../claim/claim-screen.tsx';
import { pageRequest } from '../contexts.ts';
import { noReferrer } from '../no-referrer.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import { SiteFrame } from '../site-frame.tsx';
import { serviceTitles } from '../service-titles.ts';
import type { Route } from './+types/client-invitation.ts';

export async function loader({ context }: Route.LoaderArgs) {
  return { services: await serviceTitles(context.get(pageRequest)) };
}

export const headers = noReferrer;

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.claim_page_title());
}

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
