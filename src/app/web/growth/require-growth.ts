import { data } from 'react-router';
import type { PublicSite } from '#/features/settings/contract.ts';

export function requireGrowth({ flags }: PublicSite): null {
  // oxlint-disable-next-line typescript/only-throw-error -- the router answers with what is thrown
  if (!flags.includes('wellness_tracking')) throw data(null, { status: 404 });
  return null;
}
