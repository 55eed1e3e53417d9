import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { Container } from '#/web/components/page.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { InvitationScreen } from '../invitation/invitation-screen.tsx';
import { useKeptToken } from '../link-token.tsx';
import { noReferrer } from '../no-referrer.ts';
import { unlisted } from '../page-meta.ts';

export const headers = noReferrer;

export const meta = unlisted(m.invitation_page_title);

export default function Invitation() {
  const viewer = useViewer();
  const { token, forget } = useKeptToken('italk.invitation');
  return (
    <Container className="py-10 sm:py-16">
      {token === null ? (
        <Loading>
          <Skeleton className="mx-auto h-72 max-w-reading" />
        </Loading>
      ) : (
        // A different viewer needs a fresh query cache.
        <DataProvider key={`${token} ${viewer?.id}`}>
          <InvitationScreen token={token} onClosed={forget} />
        </DataProvider>
      )}
    </Container>
  );
}
