import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { instant } from '../appointment/contract.ts';

const feed = z.object({
  madeAt: instant,
  /** Last fetch by a calendar app, to the minute; null if never. */
  readAt: instant.nullable(),
});

export type Feed = z.infer<typeof feed>;

/** Shown only once: only a hash is stored. */
const madeFeed = feed.extend({ path: z.string() });

const own = procedure.meta({ access: ['view_own_appointments', 'manage_own_appointments'] });

/** Not behind a feature flag. */
export const feedContract = {
  mine: own.route({ method: 'GET', path: '/calendar-feed' }).output(feed.nullable()),
  /** Creates a feed URL; revokes the last. */
  make: own
    .meta({ writes: ['calendar_feed.made security person'], example: () => ({}) })
    .route({ method: 'POST', path: '/calendar-feed' })
    .input(z.strictObject({}))
    .output(madeFeed),
  revoke: own
    .meta({ writes: ['calendar_feed.revoked security person'], example: () => ({}) })
    .route({ method: 'POST', path: '/calendar-feed/revoke' })
    .input(z.strictObject({}))
    .output(z.null()),
};
