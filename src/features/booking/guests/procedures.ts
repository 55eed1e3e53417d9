import { selfOf } from '#/features/access/rules.ts';
import { bind } from '#/platform/http/procedures.ts';
import { membershipOf } from '../queries.ts';
import { invite, resend, withdraw } from '../invitations/commands.ts';
import { invitationOf } from '../invitations/queries.ts';
import { acceptInvitation, declineInvitation, leave } from './commands.ts';
import { guestsContract } from './contract.ts';
import { guestList, guestSessions } from './queries.ts';

const os = bind(guestsContract);

export const guestsProcedures = os.router({
  list: os.list.handler(async ({ context, input }) =>
    guestList(context, await membershipOf(context, input.appointmentId)),
  ),
  invite: os.invite.handler(({ context, input }) => invite(context, input)),
  resend: os.resend.handler(({ context, input }) => resend(context, input.guestId)),
  withdraw: os.withdraw.handler(({ context, input }) => withdraw(context, input.guestId)),
  invitation: os.invitation.handler(({ context, input }) => invitationOf(context, input.token)),
  accept: os.accept.handler(({ context, input }) => acceptInvitation(context, input)),
  decline: os.decline.handler(({ context, input }) => declineInvitation(context, input.token)),
  formerInvitation: os.formerInvitation.handler(({ context, input }) => invitationOf(context, input.token)),
  formerAccept: os.formerAccept.handler(({ context, input }) => acceptInvitation(context, input)),
  formerDecline: os.formerDecline.handler(({ context, input }) => declineInvitation(context, input.token)),
  mine: os.mine.handler(({ context }) => guestSessions(context, selfOf(context))),
  leave: os.leave.handler(({ context, input }) => leave(context, input.appointmentId)),
});
