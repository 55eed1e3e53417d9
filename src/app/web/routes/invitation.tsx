import { data } from 'react-router';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { Container } from '#/web/components/page.tsx';
import { pageRequest } from '../contexts.ts';
import { InvitationScreen } from '../invitation/invitation-screen.tsx';
import { nullIfMissing } from '../missing.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import { SiteFrame } from '../site-frame.tsx';
import type { Route } from './+types/invitation.ts';

export async function loader({ context, params: { token } }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const [list, me, invitation] = await Promise.all([
    api.catalogue.services(),
    api.accounts.me(),
    // A link that isn't whole, or has been replaced, is the reader's to know, and no defect.
    api.guests.invitation({ token }).catch(nullIfMissing),
  ]);
  const services = list.map(({ id, title }) => ({ id, title }));
  return data(
    { services, viewerId: me?.id ?? null, invitation },
    { status: invitation ? 200 : 404, headers: { 'referrer-policy': 'no-referrer' } },
  );
}

/** What is secret in its address isn't told to whatever is opened from the page. */
export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.invitation_page_title());
}

/** Where the link in an invitation leads: what it is about, and the way to answer it. */
export default function Invitation({
  loaderData: { services, viewerId, invitation },
  params: { token },
}: Route.ComponentProps) {
  const viewer = useViewer();
  return (
    <SiteFrame services={services}>
      <Container className="py-10 sm:py-16">
        <DataProvider>
          <InvitationScreen
            // Another person has another store, which is asked anew.
            key={`${token} ${viewer?.id}`}
            token={token}
            known={{ viewerId, invitation }}
          />
        </DataProvider>
      </Container>
    </SiteFrame>
  );
}
