import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { askForTime, confirmRequest, forgetRequests } from './commands.ts';
import { guestBookingContract } from './contract.ts';
import { guestBookingPersonal } from './personal.ts';
import { readRequest, sealedRequest } from './queries.ts';

const os = bind({ guestBooking: guestBookingContract });

export const guestBooking = defineFeature({
  handlers: ({ rateLimitFactor }: { rateLimitFactor: number }) => ({
    guestBooking: os.guestBooking.router({
      ask: os.guestBooking.ask.handler(({ context, input }) => askForTime(context, input, rateLimitFactor)),
      read: os.guestBooking.read.handler(({ context, input }) => readRequest(context, input.token)),
      confirm: os.guestBooking.confirm.handler(({ context, input }) => confirmRequest(context, input)),
    }),
  }),
  personal: [guestBookingPersonal],
  tidy: [forgetRequests],
  sealed: [sealedRequest],
});
