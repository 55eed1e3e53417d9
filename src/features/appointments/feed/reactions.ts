import { isoOf } from '#/kernel/iso.ts';
import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { endFeedMadeBetween } from './commands.ts';

/** Revokes calendar URLs created while someone else held the account's email, or before a new password. */
export const feedReactions: readonly Reaction[] = [
  reaction({
    event: 'accounts.address_given_back',
    name: 'feed.address_given_back',
    handle: (ctx, { userId, since, until }) => endFeedMadeBetween(ctx, userId, { since, until }),
  }),
  reaction({
    event: 'accounts.password_set',
    name: 'feed.account_recovered',
    handle: (ctx, { userId, until }) => endFeedMadeBetween(ctx, userId, { since: isoOf(0), until }),
  }),
];
