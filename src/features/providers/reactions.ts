import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { followDeletion } from './commands.ts';

/** Who deletes their account leaves the directory at once, and comes back if they keep it. */
export const providersReactions: readonly Reaction[] = [
  reaction({
    event: 'accounts.deletion_requested',
    name: 'providers.deletion-requested',
    handle: (ctx, { userId }) => followDeletion(ctx, userId),
  }),
  reaction({
    event: 'accounts.deletion_undone',
    name: 'providers.deletion-undone',
    handle: (ctx, { userId }) => followDeletion(ctx, userId),
  }),
];
