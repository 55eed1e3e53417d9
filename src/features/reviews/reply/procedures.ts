import { bind } from '#/platform/http/procedures.ts';
import { approveReply, rejectReply, withdrawReply, writeReply } from './commands.ts';
import { repliesContract } from './contract.ts';
import { repliesToModerate, repliesWaiting } from './queries.ts';

const os = bind(repliesContract);

export const repliesProcedures = os.router({
  write: os.write.handler(({ context, input }) => writeReply(context, input)),
  withdraw: os.withdraw.handler(async ({ context, input }) => {
    await withdrawReply(context, input.reviewId);
    return input;
  }),
  waitingCount: os.waitingCount.handler(({ context }) => repliesWaiting(context)),
  moderation: os.moderation.handler(({ context, input }) => repliesToModerate(context, input)),
  approve: os.approve.handler(({ context, input }) => approveReply(context, input)),
  reject: os.reject.handler(({ context, input }) => rejectReply(context, input)),
});
