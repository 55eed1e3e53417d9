import { data } from 'react-router';
import type { PageRequest } from '../contexts.ts';
import { prefetchFor, type Ask } from '../prefetch.ts';
import { todayIn } from '#/web/times.ts';
import { messagingIsOn } from '#/features/messaging/ui/messages-on.ts';

/** Loads a message screen's first queries and local date; throws 404 if messaging is off. */
export async function messagesData(page: PageRequest, ask: Ask) {
  // oxlint-disable-next-line typescript/only-throw-error -- the router answers with what is thrown
  if (!messagingIsOn(await page.api.settings.site())) throw data(null, { status: 404 });
  const found = await prefetchFor(page, ask);
  return { known: found?.known ?? null, today: todayIn(found?.viewer.timeZone ?? null) };
}

/** Client-side navigation renders without waiting for data. */
export const nothingYet: Awaited<ReturnType<typeof messagesData>> = { known: null, today: null };
