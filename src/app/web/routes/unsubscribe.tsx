import { m } from '#/texts/messages.js';
import { UnsubscribeCard } from '#/features/notifications/ui/unsubscribe-card.tsx';
import { Container } from '#/web/components/page.tsx';
import { pageRequest } from '../contexts.ts';
import { nullIfMissing } from '../load-errors.ts';
import { noReferrer } from '../no-referrer.ts';
import { unlisted } from '../page-meta.ts';
import type { Route } from './+types/unsubscribe.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { api } = context.get(pageRequest);
  const token = new URL(request.url).searchParams.get('token') ?? '';
  // Incomplete links are expected, not errors.
  const choice = await api.mailChoice.get({ token }).catch(nullIfMissing);
  return { token, choice };
}

/** Keeps the token out of Referer headers. */
export const headers = noReferrer;

export const meta = unlisted(m.unsubscribe_title);

export default function Unsubscribe({ loaderData: { token, choice } }: Route.ComponentProps) {
  return (
    <Container className="py-10 sm:py-16">
      <UnsubscribeCard key={token} token={token} choice={choice} />
    </Container>
  );
}
