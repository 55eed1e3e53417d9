import type { Viewer } from '#/features/accounts/contract.ts';
import type { bookingContract } from '#/features/booking/contract.ts';
import { createApi } from '#/web/api.tsx';
import { isAnythingKept } from './mark.ts';
import { forgetSessions, keepSessions, mayKeep, type KeptSession } from './store.ts';

/** How far ahead sessions are kept, and how many. */
const daysAhead = 90;
const most = 20;
const dayMs = 86_400_000;

/** Whose sessions are being fetched: who signs out meanwhile has none kept. */
let current: string | null = null;

/** Keeps the upcoming sessions of the client who is signed in; anybody else's are erased. */
export async function keepUpcoming(viewer: Viewer | null): Promise<void> {
  const owner = viewer?.role === 'client' && mayKeep() ? viewer.id : null;
  current = owner;
  if (viewer === null || owner === null) {
    if (isAnythingKept()) await forgetSessions();
    return;
  }
  const at = Date.now();
  const { booking } = createApi<{ booking: typeof bookingContract }>();
  const appointments = await booking.mine.call({
    from: new Date(at).toISOString(),
    to: new Date(at + daysAhead * dayMs).toISOString(),
    limit: most,
  });
  if (current !== owner) return;
  const sessions = appointments
    .filter(({ status }) => status === 'pending' || status === 'confirmed')
    .map((one): KeptSession => ({
      id: one.id,
      service: viewer.keepDiscreet ? null : one.service.title,
      specialist: one.provider.name,
      startsAt: one.startsAt,
      endsAt: one.endsAt,
      sessionType: one.sessionType,
      confirmed: one.status === 'confirmed',
      location: one.sessionType === 'in-person' ? one.provider.location : null,
    }));
  await keepSessions({ owner, at, sessions });
}
