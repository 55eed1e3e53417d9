import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { isOffered } from '../program-sessions/queries.ts';

/** Returns a route's handler. Throws `not_found` (`no_such_route`) if none, or if programs are off for everyone. */
export async function requireRoute<Route>(
  ctx: Ctx,
  routes: Readonly<Record<string, Route>>,
  route: string,
): Promise<Route> {
  const answer = Object.hasOwn(routes, route) ? routes[route] : undefined;
  if (!answer || !(await isOffered(ctx))) return refuseUnknownRoute();
  return answer;
}

/** Handles an unknown route: throws `not_found` (`no_such_route`). */
export async function refuseUnknownRoute(): Promise<never> {
  throw new AppError('not_found', 'no_such_route');
}
