import { todayIn } from '#/web/times.ts';
import type { PageRequest } from '#/app/web/contexts.ts';
import { prefetchFor, type Ask } from '#/app/web/prefetch.ts';
import { data } from 'react-router';
import type { PublicSite } from '#/features/settings/contract.ts';

export async function roomData(page: PageRequest, ask: Ask) {
  requireGrowth(await page.api.settings.site());
  const found = await prefetchFor(page, ask);
  return found && { known: found.known, today: todayIn(found.viewer.timeZone) };
}

function requireGrowth({ flags }: PublicSite): null {
  // oxlint-disable-next-line typescript/only-throw-error -- the router answers with what is thrown
  if (!flags.includes('wellness_tracking')) throw data(null, { status: 404 });
  return null;
}
