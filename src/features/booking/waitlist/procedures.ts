import { bind } from '#/platform/http/procedures.ts';
import { selfOf } from '#/features/access/rules.ts';
import { bookingSettings } from '../diary/queries.ts';
import { askEarlier, giveUp, joinWaitlist } from './commands.ts';
import { waitlistContract } from './contract.ts';
import { passOffer, takeOffer } from '../offers/commands.ts';
import { ownWaits, waitingCount } from './queries.ts';

const os = bind(waitlistContract);

export const waitlistProcedures = os.router({
  mine: os.mine.handler(async ({ context }) =>
    ownWaits(context, selfOf(context), await bookingSettings(context)),
  ),
  askEarlier: os.askEarlier.handler(({ context, input }) => askEarlier(context, input)),
  ask: os.ask.handler(({ context, input }) => joinWaitlist(context, input)),
  giveUp: os.giveUp.handler(({ context, input }) => giveUp(context, input.waitId)),
  take: os.take.handler(({ context, input }) => takeOffer(context, input.offerId, input.phone)),
  pass: os.pass.handler(({ context, input }) => passOffer(context, input.offerId)),
  count: os.count.handler(async ({ context }) => ({
    count: await waitingCount(context, selfOf(context)),
  })),
});
