import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { cancelAdministered, findAppointments, rescheduleAdministered } from './administration/commands.ts';
import { agendaOf } from './agenda/queries.ts';
import { book } from './booking/commands.ts';
import { appointmentsContract } from './contract.ts';
import { expireUnanswered } from './expiry/commands.ts';
import { makeFeed, revokeFeed } from './feed/commands.ts';
import { ownFeed } from './feed/queries.ts';
import { feedReactions } from './feed/reactions.ts';
import { clientFigures, providerFigures } from './figures/queries.ts';
import { checkSeries, freeStarts, startsForBoth } from './free-starts/queries.ts';
import { lookAtHandover, restoreApproval, revokeApproval } from './handover/commands.ts';
import type { WithGuests } from './handover/queries.ts';
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
import { bookFor } from './on-behalf/commands.ts';
import { appointmentsPersonal, type AsGuest } from './personal.ts';
import { ownClashes, previewAvailability } from './preview/queries.ts';
import { appointmentView, myAppointments, sealed } from './appointment/queries.ts';
import { lookAtPerson, openAppointment } from './oversight/commands.ts';
import { cancelSeries, forgetSeriesChanges, rescheduleSeries } from './series/commands.ts';
import { checkMove, sessionsAhead } from './series/queries.ts';
import { requireParty } from './appointment/policies.ts';

const os = bind({ appointments: appointmentsContract });

const handover = (withGuests: WithGuests) =>
  os.appointments.handover.router({
    sessions: os.appointments.handover.sessions.handler(({ context, input }) =>
      lookAtHandover(context, input.providerId, withGuests),
    ),
    revoke: os.appointments.handover.revoke.handler(({ context, input }) =>
      revokeApproval(context, input, withGuests),
    ),
    restore: os.appointments.handover.restore.handler(({ context, input }) =>
      restoreApproval(context, input.providerId),
    ),
  });

const administration = os.appointments.administration.router({
  find: os.appointments.administration.find.handler(({ context, input }) => findAppointments(context, input)),
  freeStarts: os.appointments.administration.freeStarts.handler(({ context, input: { notice, ...input } }) =>
    startsForBoth(context, { ...input, withoutNotice: notice === 'waived' }),
  ),
  reschedule: os.appointments.administration.reschedule.handler(({ context, input }) =>
    rescheduleAdministered(context, input),
  ),
  cancel: os.appointments.administration.cancel.handler(({ context, input }) =>
    cancelAdministered(context, input),
  ),
});

const oversight = os.appointments.oversight.router({
  appointment: os.appointments.oversight.appointment.handler(({ context, input }) =>
    openAppointment(context, input.appointmentId),
  ),
  person: os.appointments.oversight.person.handler(({ context, input }) =>
    lookAtPerson(context, input.personId),
  ),
});

const series = os.appointments.series.router({
  ahead: os.appointments.series.ahead.handler(({ context, input }) =>
    sessionsAhead(context, input.appointmentId),
  ),
  check: os.appointments.series.check.handler(({ context, input }) => checkMove(context, input)),
  cancel: os.appointments.series.cancel.handler(({ context, input }) => cancelSeries(context, input)),
  reschedule: os.appointments.series.reschedule.handler(({ context, input }) =>
    rescheduleSeries(context, input),
  ),
});

const feed = os.appointments.feed.router({
  mine: os.appointments.feed.mine.handler(({ context }) => ownFeed(context, selfOf(context))),
  make: os.appointments.feed.make.handler(({ context }) => makeFeed(context)),
  revoke: os.appointments.feed.revoke.handler(async ({ context }) => {
    await revokeFeed(context);
    return null;
  }),
});

/** Learns about guests from a later feature. */
export const appointments = ({ withGuests, asGuest }: { withGuests: WithGuests; asGuest: AsGuest }) =>
  defineFeature({
    handlers: () => ({
      appointments: os.appointments.router({
        previewAvailability: os.appointments.previewAvailability.handler(({ context, input }) =>
          previewAvailability(context, selfOf(context), input),
        ),
        clashes: os.appointments.clashes.handler(({ context }) => ownClashes(context, selfOf(context))),
        agenda: os.appointments.agenda.handler(({ context, input }) =>
          agendaOf(context, selfOf(context), input),
        ),
        freeStarts: os.appointments.freeStarts.handler(({ context, input }) => freeStarts(context, input)),
        checkSeries: os.appointments.checkSeries.handler(({ context, input }) =>
          checkSeries(context, selfOf(context), input),
        ),
        book: os.appointments.book.handler(({ context, input }) => book(context, input)),
        bookFor: os.appointments.bookFor.handler(({ context, input }) => bookFor(context, input)),
        mine: os.appointments.mine.handler(({ context, input }) =>
          myAppointments(context, selfOf(context), input),
        ),
        get: os.appointments.get.handler(async ({ context, input }) =>
          appointmentView(context, (await requireParty(context, input.appointmentId)).appointmentId),
        ),
        clientFigures: os.appointments.clientFigures.handler(({ context, input }) =>
          clientFigures(context, selfOf(context), input.timeZone),
        ),
        providerFigures: os.appointments.providerFigures.handler(({ context }) =>
          providerFigures(context, selfOf(context)),
        ),
        reschedule: os.appointments.reschedule.handler(({ context, input }) =>
          reschedule(context, input.appointmentId, input.startsAt),
        ),
        cancel: os.appointments.cancel.handler(({ context, input }) =>
          cancel(context, input.appointmentId, input.reason),
        ),
        confirm: os.appointments.confirm.handler(({ context, input }) =>
          confirm(context, input.appointmentId),
        ),
        decline: os.appointments.decline.handler(({ context, input }) =>
          decline(context, input.appointmentId, input.reason),
        ),
        complete: os.appointments.complete.handler(({ context, input }) =>
          complete(context, input.appointmentId),
        ),
        markNoShow: os.appointments.markNoShow.handler(({ context, input }) =>
          markNoShow(context, input.appointmentId),
        ),
        markEmergency: os.appointments.markEmergency.handler(({ context, input }) =>
          markEmergency(context, input.appointmentId),
        ),
        setReminder: os.appointments.setReminder.handler(({ context, input }) =>
          setReminder(context, input.appointmentId, input.minutes),
        ),
        series,
        feed,
        administration,
        oversight,
        handover: handover(withGuests),
      }),
    }),
    reactions: () => feedReactions,
    schedules: () => [{ name: 'expiry', every: { minutes: 1 }, run: expireUnanswered }],
    personal: [appointmentsPersonal({ asGuest })],
    tidy: [forgetSeriesChanges],
    sealed: Object.values(sealed),
  });
