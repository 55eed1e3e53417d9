import { data } from 'react-router';
import type { PublicSite } from '#/features/settings/contract.ts';

/** For the loaders of growth's pages: switched off, they aren't there. */
export function requireGrowth({ flags }: PublicSite): null {
  // The router answers with what is thrown.
  // oxlint-disable-next-line typescript/only-throw-error
  if (!flags.includes('wellness_tracking')) throw data(null, { status: 404 });
  return null;
}
