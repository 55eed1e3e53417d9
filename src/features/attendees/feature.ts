import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { acceptInvitation, declineInvitation } from './answers/commands.ts';
import { leave } from './commands.ts';
import { attendeesContract } from './contract.ts';
import { forgetInvitations, invite, resend, withdraw } from './invitations/commands.ts';
import { invitationOf } from './invitations/queries.ts';
import { attendeesPersonal } from './personal.ts';
import { guestListOf, guestSessions } from './queries.ts';

const os = bind({ attendees: attendeesContract });

export const attendees = defineFeature({
  handlers: () => ({
    attendees: os.attendees.router({
      list: os.attendees.list.handler(({ context, input }) => guestListOf(context, input.appointmentId)),
      invite: os.attendees.invite.handler(({ context, input }) => invite(context, input)),
      resend: os.attendees.resend.handler(({ context, input }) => resend(context, input.guestId)),
      withdraw: os.attendees.withdraw.handler(({ context, input }) => withdraw(context, input.guestId)),
      invitation: os.attendees.invitation.handler(({ context, input }) => invitationOf(context, input.token)),
      accept: os.attendees.accept.handler(({ context, input }) => acceptInvitation(context, input)),
      decline: os.attendees.decline.handler(({ context, input }) => declineInvitation(context, input.token)),
      formerInvitation: os.attendees.formerInvitation.handler(({ context, input }) =>
        invitationOf(context, input.token),
      ),
      formerAccept: os.attendees.formerAccept.handler(({ context, input }) =>
        acceptInvitation(context, input),
      ),
      formerDecline: os.attendees.formerDecline.handler(({ context, input }) =>
        declineInvitation(context, input.token),
      ),
      mine: os.attendees.mine.handler(({ context }) => guestSessions(context, selfOf(context))),
      leave: os.attendees.leave.handler(({ context, input }) => leave(context, input.appointmentId)),
    }),
  }),
  personal: [attendeesPersonal],
  tidy: [forgetInvitations],
});
