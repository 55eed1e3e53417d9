import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { acceptInvitation, declineInvitation } from './answers/commands.ts';
import { leave } from './commands.ts';
import { attendeesContract } from './contract.ts';
import { deleteOldInvitations, invite, resend, withdraw } from './invitations/commands.ts';
import { invitationOf } from './invitations/queries.ts';
import { attendeesPersonal } from './personal.ts';
import { guestListOf, guestSessions } from './queries.ts';

export const attendees = defineFeature({
  handlers: () => ({
    attendees: handle(attendeesContract, {
      list: (ctx, input) => guestListOf(ctx, input.appointmentId),
      invite,
      resend: (ctx, input) => resend(ctx, input.guestId),
      withdraw: (ctx, input) => withdraw(ctx, input.guestId),
      invitation: (ctx, input) => invitationOf(ctx, input.token),
      accept: acceptInvitation,
      decline: (ctx, input) => declineInvitation(ctx, input.token),
      formerInvitation: (ctx, input) => invitationOf(ctx, input.token),
      formerAccept: acceptInvitation,
      formerDecline: (ctx, input) => declineInvitation(ctx, input.token),
      mine: (ctx) => guestSessions(ctx, selfOf(ctx)),
      leave: (ctx, input) => leave(ctx, input.appointmentId),
    }),
  }),
  personal: [attendeesPersonal],
  tidy: [deleteOldInvitations],
});
