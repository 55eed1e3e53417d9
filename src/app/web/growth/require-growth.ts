import { data } from 'react-router';
import type { PublicSite } from '#/features/settings/contract.ts';

/** For the loaders of growth's pages: switched off, they aren't there. */
export function requireGrowth({ flags }: PublicSite): null {
  // oxlint-disable-next-line typescript/only-throw-error -- the router answers with what is thrown
  if (!flags.includes('wellness_tracking')) throw data(null, { status: 404 });
  return null;
}
