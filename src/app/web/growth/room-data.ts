import { dateIn } from '#/web/times.ts';
import type { PageRequest } from '../contexts.ts';
import { prefetchFor, type Ask } from '../prefetch.ts';
import { requireGrowth } from './require-growth.ts';

export async function roomData(page: PageRequest, ask: Ask) {
  requireGrowth(await page.api.settings.site());
  const found = await prefetchFor(page, ask);
  return found && { known: found.known, today: dayIn(found.viewer.timeZone) };
}

function dayIn(timeZone: string | null): string | null {
  try {
    return timeZone && dateIn(Date.now(), timeZone);
  } catch {
    // Time zone unknown to this runtime's older zone data.
    return null;
  }
}
