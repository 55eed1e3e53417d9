import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { joinForEarlierTime, leaveWaitingList, joinWaitlist } from './commands.ts';
import { waitlistContract } from './contract.ts';
import { deleteEndedWaits, declineOffer, updateWaitingLists, acceptOffer } from './offers/commands.ts';
import { waitlistPersonal } from './personal.ts';
import { ownWaits, waitingCount } from './queries.ts';
import { waitlistReactions } from './offers/reactions.ts';

export const waitlist = defineFeature({
  handlers: () => ({
    waitlist: handle(waitlistContract, {
      mine: (ctx) => ownWaits(ctx, selfOf(ctx)),
      joinEarlier: joinForEarlierTime,
      ask: joinWaitlist,
      leave: (ctx, input) => leaveWaitingList(ctx, input.waitId),
      take: (ctx, input) => acceptOffer(ctx, input.offerId, input.phone),
      pass: (ctx, input) => declineOffer(ctx, input.offerId),
      count: async (ctx) => ({
        count: await waitingCount(ctx, selfOf(ctx)),
      }),
    }),
  }),
  reactions: () => waitlistReactions,
  personal: [waitlistPersonal],
  tidy: [updateWaitingLists, deleteEndedWaits],
});
