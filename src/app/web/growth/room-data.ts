import { dayOf } from '#/features/growth/ui/dates.ts';
import type { PageRequest } from '../contexts.ts';
import { knownTo, type Ask } from '../known.ts';
import { requireGrowth } from './require-growth.ts';

/** For the loaders of growth's pages: what the room asks for first, and which day it is for who is signed in. */
export async function roomData(page: PageRequest, ask: Ask) {
  requireGrowth(await page.api.settings.site());
  const found = await knownTo(page, ask);
  return found && { known: found.known, today: dayIn(found.viewer.timeZone) };
}

function dayIn(timeZone: string | null): string | null {
  try {
    return timeZone && dayOf(Date.now(), timeZone);
  } catch {
    // Stored by a runtime that knows more zones than this one.
    return null;
  }
}
