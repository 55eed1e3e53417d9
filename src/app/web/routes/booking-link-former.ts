import { redirect } from 'react-router';
import { requestPath } from '#/features/guest-booking/rules.ts';
import type { Route } from './+types/booking-link-former.ts';

/** Redirects links from earlier releases, with tokens in the path. Each expires after a day. */
export function loader({ params: { token } }: Route.LoaderArgs) {
  return redirect(requestPath(encodeURIComponent(token)), { headers: { 'referrer-policy': 'no-referrer' } });
}
