import { runExport } from '#/features/accounts/export/commands.ts';
import { eraseAccount } from '#/features/accounts/deletion/commands.ts';
import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { features } from './features.ts';

/** Later features first: they refer to earlier ones, and look the person up by the account. */
const personalParts = features.toReversed().flatMap(({ personal }) => personal);

export const personalReactions: readonly Reaction[] = [
  reaction({
    event: 'accounts.export_requested',
    name: 'personal.export',
    handle: (ctx, { exportId }) => runExport(ctx, exportId, personalParts),
  }),
  reaction({
    event: 'accounts.deletion_due',
    name: 'personal.erase',
    handle: (ctx, { userId }) => eraseAccount(ctx, userId, personalParts),
  }),
];
