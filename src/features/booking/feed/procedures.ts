import { bind } from '#/platform/http/procedures.ts';
import { selfOf } from '#/features/access/rules.ts';
import { makeFeed, revokeFeed } from './commands.ts';
import { feedContract } from './contract.ts';
import { ownFeed } from './queries.ts';

const os = bind(feedContract);

export const feedProcedures = os.router({
  mine: os.mine.handler(({ context }) => ownFeed(context, selfOf(context))),
  make: os.make.handler(({ context }) => makeFeed(context)),
  revoke: os.revoke.handler(async ({ context }) => {
    await revokeFeed(context);
    return null;
  }),
});
