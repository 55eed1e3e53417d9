import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { endFeedMadeBetween } from './commands.ts';

/** Revokes calendar URLs created while someone else held the account's email. */
export const feedReactions: readonly Reaction[] = [
  reaction({
    event: 'accounts.address_given_back',
    name: 'feed.address_given_back',
    handle: (ctx, { userId, since, until }) => endFeedMadeBetween(ctx, userId, { since, until }),
  }),
];
