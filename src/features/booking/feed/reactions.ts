import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { endFeedMadeBetween } from './commands.ts';

/** Ends the calendar address that somebody else made while they had the account's email address. */
export const feedReactions: readonly Reaction[] = [
  reaction({
    event: 'accounts.address_given_back',
    name: 'feed.address_given_back',
    handle: (ctx, { userId, since, until }) => endFeedMadeBetween(ctx, userId, { since, until }),
  }),
];
