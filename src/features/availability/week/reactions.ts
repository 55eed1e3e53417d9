import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { setFirstWeek } from './commands.ts';

export const availabilityReactions: readonly Reaction[] = [
  reaction({
    event: 'providers.created',
    name: 'availability.first-week',
    handle: (ctx, { providerId }) => setFirstWeek(ctx, providerId),
  }),
];
