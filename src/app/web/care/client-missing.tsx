import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';

/** Same page for nonexistent people and other providers' clients, so nothing leaks. */
export function ClientMissing() {
  return (
    <Card className="mx-auto max-w-reading">
      <EmptyState
        as="h1"
        illustration={<PathIllustration />}
        title={m.care_client_not_found_title()}
        action={<ButtonLink to="/clients">{m.care_client_not_found_action()}</ButtonLink>}
      >
        {m.care_client_not_found_text()}
      </EmptyState>
    </Card>
  );
}
