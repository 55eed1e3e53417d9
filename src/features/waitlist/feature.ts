import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { askEarlier, giveUp, joinWaitlist } from './commands.ts';
import { waitlistContract } from './contract.ts';
import { forgetEndedWaits, passOffer, takeAllTurns, takeOffer } from './offers/commands.ts';
import { waitlistPersonal } from './personal.ts';
import { ownWaits, waitingCount } from './queries.ts';
import { waitlistReactions } from './offers/reactions.ts';

export const waitlist = defineFeature({
  handlers: () => ({
    waitlist: handle(waitlistContract, {
      mine: (ctx) => ownWaits(ctx, selfOf(ctx)),
      askEarlier,
      ask: joinWaitlist,
      giveUp: (ctx, input) => giveUp(ctx, input.waitId),
      take: (ctx, input) => takeOffer(ctx, input.offerId, input.phone),
      pass: (ctx, input) => passOffer(ctx, input.offerId),
      count: async (ctx) => ({
        count: await waitingCount(ctx, selfOf(ctx)),
      }),
    }),
  }),
  reactions: () => waitlistReactions,
  personal: [waitlistPersonal],
  tidy: [takeAllTurns, forgetEndedWaits],
});
