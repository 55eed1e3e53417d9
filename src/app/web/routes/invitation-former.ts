import { redirect } from 'react-router';
import { invitationPath } from '#/features/attendees/rules.ts';
import type { Route } from './+types/invitation-former.ts';

/** Redirects links from earlier releases, with tokens in the path. Valid until the session ends. */
export function loader({ params: { token } }: Route.LoaderArgs) {
  return redirect(invitationPath(encodeURIComponent(token)), {
    headers: { 'referrer-policy': 'no-referrer' },
  });
}
