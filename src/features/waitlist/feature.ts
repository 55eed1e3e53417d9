import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { askEarlier, giveUp, joinWaitlist } from './commands.ts';
import { waitlistContract } from './contract.ts';
import { forgetEndedWaits, passOffer, takeAllTurns, takeOffer } from './offers/commands.ts';
import { waitlistPersonal } from './personal.ts';
import { ownWaits, waitingCount } from './queries.ts';
import { waitlistReactions } from './offers/reactions.ts';

const os = bind({ waitlist: waitlistContract });

export const waitlist = defineFeature({
  handlers: () => ({
    waitlist: os.waitlist.router({
      mine: os.waitlist.mine.handler(({ context }) => ownWaits(context, selfOf(context))),
      askEarlier: os.waitlist.askEarlier.handler(({ context, input }) => askEarlier(context, input)),
      ask: os.waitlist.ask.handler(({ context, input }) => joinWaitlist(context, input)),
      giveUp: os.waitlist.giveUp.handler(({ context, input }) => giveUp(context, input.waitId)),
      take: os.waitlist.take.handler(({ context, input }) => takeOffer(context, input.offerId, input.phone)),
      pass: os.waitlist.pass.handler(({ context, input }) => passOffer(context, input.offerId)),
      count: os.waitlist.count.handler(async ({ context }) => ({
        count: await waitingCount(context, selfOf(context)),
      })),
    }),
  }),
  reactions: () => waitlistReactions,
  personal: [waitlistPersonal],
  tidy: [takeAllTurns, forgetEndedWaits],
});
