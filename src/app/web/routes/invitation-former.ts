import { redirect } from 'react-router';
import { invitationPath } from '#/features/booking/guests/rules.ts';
import type { Route } from './+types/invitation-former.ts';

/** Links mailed by earlier releases carry their token in the path and are valid until the session is over. */
export function loader({ params: { token } }: Route.LoaderArgs) {
  return redirect(invitationPath(encodeURIComponent(token)), {
    headers: { 'referrer-policy': 'no-referrer' },
  });
}
