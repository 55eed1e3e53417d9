import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { instant } from '../contract.ts';

/** What a person may know of their private calendar address once it was shown to them. */
const feed = z.object({
  madeAt: instant,
  /** When a calendar program last fetched it, to the minute; null: none did so far. */
  readAt: instant.nullable(),
});

export type Feed = z.infer<typeof feed>;

/** A new address. It is told this once: what is kept can't be turned back into it. */
const madeFeed = feed.extend({ path: z.string() });

const own = procedure.meta({ access: ['view_own_appointments', 'manage_own_appointments'] });

/** The address under which one's own sessions can be read by calendar programs. No feature flag governs it. */
export const feedContract = {
  mine: own.route({ method: 'GET', path: '/calendar-feed' }).output(feed.nullable()),
  /** Makes an address; one that was made before is worth nothing from then on. */
  make: own
    .meta({ writes: ['calendar_feed.made security person'], example: () => ({}) })
    .route({ method: 'POST', path: '/calendar-feed' })
    .input(z.strictObject({}))
    .output(madeFeed),
  /** Ends it. Where there is none, nothing happens. */
  revoke: own
    .meta({ writes: ['calendar_feed.revoked security person'], example: () => ({}) })
    .route({ method: 'POST', path: '/calendar-feed/revoke' })
    .input(z.strictObject({}))
    .output(z.null()),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    feed: typeof feedContract;
  }
}
