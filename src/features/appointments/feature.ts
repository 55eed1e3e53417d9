import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { cancelAdministered, findAppointments, rescheduleAdministered } from './administration/commands.ts';
import { appointmentsContract } from './administration/contract.ts';
import { agendaOf } from './agenda/queries.ts';
import { findChoices } from '#/features/specialist-search/choices/queries.ts';
import { book } from './commands.ts';
import { bookingContract } from './contract.ts';
import { bookingSettings } from './diary/queries.ts';
import { makeFeed, revokeFeed } from './feed/commands.ts';
import { feedContract } from './feed/contract.ts';
import { ownFeed } from './feed/queries.ts';
import { clientFigures, providerFigures } from './figures/queries.ts';
import { find } from '#/features/specialist-search/commands.ts';
import { nextStarts } from '#/features/specialist-search/queries.ts';
import { checkSeries, freeStarts, startsForBoth } from './free-starts/queries.ts';
import { acceptInvitation, declineInvitation, leave } from '#/features/attendees/commands.ts';
import { guestsContract } from '#/features/attendees/contract.ts';
import { guestList, guestSessions } from '#/features/attendees/queries.ts';
import { lookAtHandover, restoreApproval, revokeApproval } from './handover/commands.ts';
import { handoverContract } from './handover/contract.ts';
import { invite, resend, withdraw } from '#/features/attendees/invitations/commands.ts';
import { invitationOf } from '#/features/attendees/invitations/queries.ts';
import {
  cancel,
  complete,
  confirm,
  decline,
  markEmergency,
  markNoShow,
  reschedule,
  setReminder,
} from './life-cycle/commands.ts';
import { passOffer, takeOffer } from '#/features/waitlist/offers/commands.ts';
import { bookFor } from './on-behalf/commands.ts';
import { ownClashes, previewAvailability } from './preview/queries.ts';
import { appointmentView, membershipOf, myAppointments } from './queries.ts';
import { askForTime, confirmRequest } from '#/features/guest-booking/commands.ts';
import { readRequest } from '#/features/guest-booking/queries.ts';
import { cancelSeries, rescheduleSeries } from './series-changes/commands.ts';
import { seriesContract } from './series-changes/contract.ts';
import { checkMove, sessionsAhead } from './series-changes/queries.ts';
import { askEarlier, giveUp, joinWaitlist } from '#/features/waitlist/commands.ts';
import { waitlistContract } from '#/features/waitlist/contract.ts';
import { ownWaits, waitingCount } from '#/features/waitlist/queries.ts';

const os = bind({
  booking: bookingContract,
  waitlist: waitlistContract,
  appointments: appointmentsContract,
  handover: handoverContract,
  guests: guestsContract,
  series: seriesContract,
  feed: feedContract,
});

const finding = os.booking.finding.router({
  find: os.booking.finding.find.handler(({ context, input }) => find(context, input)),
  choices: os.booking.finding.choices.handler(({ context }) => findChoices(context)),
  nextStarts: os.booking.finding.nextStarts.handler(({ context, input }) => nextStarts(context, input)),
});

const requests = (rateLimitFactor: number) =>
  os.booking.requests.router({
    ask: os.booking.requests.ask.handler(({ context, input }) => askForTime(context, input, rateLimitFactor)),
    read: os.booking.requests.read.handler(({ context, input }) => readRequest(context, input.token)),
    confirm: os.booking.requests.confirm.handler(({ context, input }) => confirmRequest(context, input)),
  });

const waitlist = os.waitlist.router({
  mine: os.waitlist.mine.handler(async ({ context }) =>
    ownWaits(context, selfOf(context), await bookingSettings(context)),
  ),
  askEarlier: os.waitlist.askEarlier.handler(({ context, input }) => askEarlier(context, input)),
  ask: os.waitlist.ask.handler(({ context, input }) => joinWaitlist(context, input)),
  giveUp: os.waitlist.giveUp.handler(({ context, input }) => giveUp(context, input.waitId)),
  take: os.waitlist.take.handler(({ context, input }) => takeOffer(context, input.offerId, input.phone)),
  pass: os.waitlist.pass.handler(({ context, input }) => passOffer(context, input.offerId)),
  count: os.waitlist.count.handler(async ({ context }) => ({
    count: await waitingCount(context, selfOf(context)),
  })),
});

const appointments = os.appointments.router({
  find: os.appointments.find.handler(({ context, input }) => findAppointments(context, input)),
  freeStarts: os.appointments.freeStarts.handler(({ context, input: { notice, ...input } }) =>
    startsForBoth(context, { ...input, withoutNotice: notice === 'waived' }),
  ),
  reschedule: os.appointments.reschedule.handler(({ context, input }) =>
    rescheduleAdministered(context, input),
  ),
  cancel: os.appointments.cancel.handler(({ context, input }) => cancelAdministered(context, input)),
});

const handover = os.handover.router({
  sessions: os.handover.sessions.handler(({ context, input }) => lookAtHandover(context, input.providerId)),
  revoke: os.handover.revoke.handler(({ context, input }) => revokeApproval(context, input)),
  restore: os.handover.restore.handler(({ context, input }) => restoreApproval(context, input.providerId)),
});

const guests = os.guests.router({
  list: os.guests.list.handler(async ({ context, input }) =>
    guestList(context, await membershipOf(context, input.appointmentId)),
  ),
  invite: os.guests.invite.handler(({ context, input }) => invite(context, input)),
  resend: os.guests.resend.handler(({ context, input }) => resend(context, input.guestId)),
  withdraw: os.guests.withdraw.handler(({ context, input }) => withdraw(context, input.guestId)),
  invitation: os.guests.invitation.handler(({ context, input }) => invitationOf(context, input.token)),
  accept: os.guests.accept.handler(({ context, input }) => acceptInvitation(context, input)),
  decline: os.guests.decline.handler(({ context, input }) => declineInvitation(context, input.token)),
  formerInvitation: os.guests.formerInvitation.handler(({ context, input }) =>
    invitationOf(context, input.token),
  ),
  formerAccept: os.guests.formerAccept.handler(({ context, input }) => acceptInvitation(context, input)),
  formerDecline: os.guests.formerDecline.handler(({ context, input }) =>
    declineInvitation(context, input.token),
  ),
  mine: os.guests.mine.handler(({ context }) => guestSessions(context, selfOf(context))),
  leave: os.guests.leave.handler(({ context, input }) => leave(context, input.appointmentId)),
});

const series = os.series.router({
  ahead: os.series.ahead.handler(({ context, input }) => sessionsAhead(context, input.appointmentId)),
  check: os.series.check.handler(({ context, input }) => checkMove(context, input)),
  cancel: os.series.cancel.handler(({ context, input }) => cancelSeries(context, input)),
  reschedule: os.series.reschedule.handler(({ context, input }) => rescheduleSeries(context, input)),
});

const feed = os.feed.router({
  mine: os.feed.mine.handler(({ context }) => ownFeed(context, selfOf(context))),
  make: os.feed.make.handler(({ context }) => makeFeed(context)),
  revoke: os.feed.revoke.handler(async ({ context }) => {
    await revokeFeed(context);
    return null;
  }),
});

export const booking = defineFeature({
  handlers: ({ rateLimitFactor }: { rateLimitFactor: number }) => ({
    booking: os.booking.router({
      finding,
      requests: requests(rateLimitFactor),
      previewAvailability: os.booking.previewAvailability.handler(({ context, input }) =>
        previewAvailability(context, selfOf(context), input),
      ),
      clashes: os.booking.clashes.handler(({ context }) => ownClashes(context, selfOf(context))),
      agenda: os.booking.agenda.handler(({ context, input }) => agendaOf(context, selfOf(context), input)),
      freeStarts: os.booking.freeStarts.handler(({ context, input }) => freeStarts(context, input)),
      checkSeries: os.booking.checkSeries.handler(({ context, input }) =>
        checkSeries(context, selfOf(context), input),
      ),
      book: os.booking.book.handler(({ context, input }) => book(context, input)),
      bookFor: os.booking.bookFor.handler(({ context, input }) => bookFor(context, input)),
      mine: os.booking.mine.handler(({ context, input }) => myAppointments(context, selfOf(context), input)),
      get: os.booking.get.handler(async ({ context, input }) =>
        appointmentView(context, (await membershipOf(context, input.appointmentId)).appointmentId),
      ),
      clientFigures: os.booking.clientFigures.handler(({ context, input }) =>
        clientFigures(context, selfOf(context), input.timeZone),
      ),
      providerFigures: os.booking.providerFigures.handler(({ context }) =>
        providerFigures(context, selfOf(context)),
      ),
      reschedule: os.booking.reschedule.handler(({ context, input }) =>
        reschedule(context, input.appointmentId, input.startsAt),
      ),
      cancel: os.booking.cancel.handler(({ context, input }) =>
        cancel(context, input.appointmentId, input.reason),
      ),
      confirm: os.booking.confirm.handler(({ context, input }) => confirm(context, input.appointmentId)),
      decline: os.booking.decline.handler(({ context, input }) =>
        decline(context, input.appointmentId, input.reason),
      ),
      complete: os.booking.complete.handler(({ context, input }) => complete(context, input.appointmentId)),
      markNoShow: os.booking.markNoShow.handler(({ context, input }) =>
        markNoShow(context, input.appointmentId),
      ),
      markEmergency: os.booking.markEmergency.handler(({ context, input }) =>
        markEmergency(context, input.appointmentId),
      ),
      setReminder: os.booking.setReminder.handler(({ context, input }) =>
        setReminder(context, input.appointmentId, input.minutes),
      ),
    }),
    waitlist,
    appointments,
    handover,
    guests,
    series,
    feed,
  }),
});
