import type { Viewer } from '#/features/accounts/contract.ts';
import { api } from '#/web/api.tsx';
import { failureCode } from '#/web/failures.ts';
import { deviceZone } from '#/kernel/date-text.ts';
import { hasStoredData } from './mark.ts';
import { clearSessions, storeSessions, storedSessions, mayKeep, type StoredSession } from './store.ts';

/** Limits on stored sessions: days ahead and count. */
const keptDays = 90;
const max = 20;
const dayMs = 86_400_000;

/** Milliseconds between expiry checks on an open page, which may be offline. */
const lookMs = 60_000;
let looking: ReturnType<typeof setInterval> | undefined;

const signedOut: unknown[] = ['unauthenticated', 'forbidden'];

/** Person whose sessions are being fetched. A sign-out meanwhile discards the result. */
let current: string | null = null;

/** Stores the client's upcoming sessions; erases anyone else's. */
export async function storeUpcoming(viewer: Viewer | null): Promise<void> {
  const owner = viewer?.role === 'client' && mayKeep() ? viewer.id : null;
  current = owner;
  if (viewer === null || owner === null) {
    if (hasStoredData()) await clearSessions();
    return;
  }
  const before = await storedSessions();
  if (before && before.owner !== owner) await clearSessions();
  const at = Date.now();
  const asked = api.appointments.mine.call({
    from: new Date(at).toISOString(),
    to: new Date(at + keptDays * dayMs).toISOString(),
    limit: max,
  });
  const appointments = await asked.catch(async (error: unknown) => {
    // The person was signed out or suspended meanwhile.
    if (signedOut.includes(failureCode(error))) await clearSessions();
    throw error;
  });
  if (current !== owner) return;
  looking ??= setInterval(() => void storedSessions().catch(() => undefined), lookMs);
  const sessions = appointments
    .filter(({ status }) => status === 'pending' || status === 'confirmed')
    .map((one): StoredSession => ({
      id: one.id,
      service: viewer.keepDiscreet ? null : one.service.title,
      specialist: one.provider.name,
      startsAt: one.startsAt,
      endsAt: one.endsAt,
      sessionType: one.sessionType,
      confirmed: one.status === 'confirmed',
      location: one.sessionType === 'in-person' ? one.provider.location : null,
    }));
  const timeZone = viewer.timeZone ?? deviceZone();
  await storeSessions({ owner, at, timeZone, sessions });
}
