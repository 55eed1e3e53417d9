import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { followAccount } from './practice/commands.ts';
import { endLicense } from './expiry/commands.ts';

/** Updates listings when account deletion is requested or canceled, and when a license expires. */
export const providersReactions: readonly Reaction[] = [
  reaction({
    event: 'accounts.deletion_requested',
    name: 'providers.deletion-requested',
    handle: (ctx, { userId }) => followAccount(ctx, userId),
  }),
  reaction({
    event: 'accounts.deletion_undone',
    name: 'providers.deletion-undone',
    handle: (ctx, { userId }) => followAccount(ctx, userId),
  }),
  reaction({
    event: 'providers.licence_due',
    name: 'providers.licence-due',
    handle: (ctx, { providerId }) => endLicense(ctx, providerId),
  }),
];
