import { redirect } from 'react-router';
import { invitationPath } from '#/features/booking/guests/rules.ts';
import type { Route } from './+types/invitation-former.ts';

/** Links that earlier releases mailed carry their token in the path; each lasts until its session is over. */
export function loader({ params: { token } }: Route.LoaderArgs) {
  return redirect(invitationPath(encodeURIComponent(token)), {
    headers: { 'referrer-policy': 'no-referrer' },
  });
}
