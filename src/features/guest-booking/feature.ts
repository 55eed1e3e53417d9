import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { requestGuestBooking, confirmRequest, deleteExpiredRequests } from './commands.ts';
import { guestBookingContract } from './contract.ts';
import { guestBookingPersonal } from './personal.ts';
import { readRequest, sealedRequest } from './queries.ts';

export const guestBooking = defineFeature({
  handlers: ({ rateLimitFactor }: { rateLimitFactor: number }) => ({
    guestBooking: handle(guestBookingContract, {
      ask: (ctx, input) => requestGuestBooking(ctx, input, rateLimitFactor),
      read: (ctx, input) => readRequest(ctx, input.token),
      confirm: confirmRequest,
    }),
  }),
  personal: [guestBookingPersonal],
  tidy: [deleteExpiredRequests],
  sealed: [sealedRequest],
});
