import { redirect } from 'react-router';
import { requestPath } from '#/features/booking/requests/rules.ts';
import type { Route } from './+types/booking-link-former.ts';

/** Links that earlier releases mailed carry their token in the path; each lasts a day. */
export function loader({ params: { token } }: Route.LoaderArgs) {
  return redirect(requestPath(encodeURIComponent(token)), { headers: { 'referrer-policy': 'no-referrer' } });
}
