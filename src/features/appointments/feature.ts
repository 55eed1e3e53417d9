import { selfOf } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { cancelAdministered, findAppointments, rescheduleAdministered } from './administration/commands.ts';
import { agendaOf } from './agenda/queries.ts';
import { book } from './booking/commands.ts';
import { appointmentsContract } from './contract.ts';
import { expireUnanswered } from './expiry/commands.ts';
import { queueDueReminders } from './reminders/commands.ts';
import { makeFeed, revokeFeed } from './feed/commands.ts';
import { ownFeed } from './feed/queries.ts';
import { feedReactions } from './feed/reactions.ts';
import { clientFigures, providerFigures } from './figures/queries.ts';
import { checkSeries, freeStarts, startsForBoth } from './free-starts/queries.ts';
import { viewHandover, restoreApproval, revokeApproval } from './handover/commands.ts';
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
import { viewPersonAppointments, openAppointment } from './oversight/commands.ts';
import { cancelSeries, deleteOldSeriesChanges, rescheduleSeries } from './series/commands.ts';
import { checkMove, sessionsAhead } from './series/queries.ts';
import { requireParty } from './appointment/policies.ts';

const handover = (withGuests: WithGuests) =>
  handle(appointmentsContract.handover, {
    sessions: (ctx, input) => viewHandover(ctx, input.providerId, withGuests),
    revoke: (ctx, input) => revokeApproval(ctx, input, withGuests),
    restore: (ctx, input) => restoreApproval(ctx, input.providerId),
  });

const administration = handle(appointmentsContract.administration, {
  find: findAppointments,
  freeStarts: (ctx, { notice, ...input }) =>
    startsForBoth(ctx, { ...input, withoutNotice: notice === 'waived' }),
  reschedule: rescheduleAdministered,
  cancel: cancelAdministered,
});

const oversight = handle(appointmentsContract.oversight, {
  appointment: (ctx, input) => openAppointment(ctx, input.appointmentId),
  person: (ctx, input) => viewPersonAppointments(ctx, input.personId),
});

const series = handle(appointmentsContract.series, {
  ahead: (ctx, input) => sessionsAhead(ctx, input.appointmentId),
  check: checkMove,
  cancel: cancelSeries,
  reschedule: rescheduleSeries,
});

const feed = handle(appointmentsContract.feed, {
  mine: (ctx) => ownFeed(ctx, selfOf(ctx)),
  make: makeFeed,
  revoke: async (ctx) => {
    await revokeFeed(ctx);
    return null;
  },
});

/** A later feature provides the guests. */
export const appointments = ({ withGuests, asGuest }: { withGuests: WithGuests; asGuest: AsGuest }) =>
  defineFeature({
    handlers: () => ({
      appointments: handle(appointmentsContract, {
        previewAvailability: (ctx, input) => previewAvailability(ctx, selfOf(ctx), input),
        clashes: (ctx) => ownClashes(ctx, selfOf(ctx)),
        agenda: (ctx, input) => agendaOf(ctx, selfOf(ctx), input),
        freeStarts,
        checkSeries: (ctx, input) => checkSeries(ctx, selfOf(ctx), input),
        book,
        bookFor,
        mine: (ctx, input) => myAppointments(ctx, selfOf(ctx), input),
        get: async (ctx, input) =>
          appointmentView(ctx, (await requireParty(ctx, input.appointmentId)).appointmentId),
        clientFigures: (ctx, input) => clientFigures(ctx, selfOf(ctx), input.timeZone),
        providerFigures: (ctx) => providerFigures(ctx, selfOf(ctx)),
        reschedule: (ctx, input) => reschedule(ctx, input.appointmentId, input.startsAt),
        cancel: (ctx, input) => cancel(ctx, input.appointmentId, input.reason),
        confirm: (ctx, input) => confirm(ctx, input.appointmentId),
        decline: (ctx, input) => decline(ctx, input.appointmentId, input.reason),
        complete: (ctx, input) => complete(ctx, input.appointmentId),
        markNoShow: (ctx, input) => markNoShow(ctx, input.appointmentId),
        markEmergency: (ctx, input) => markEmergency(ctx, input.appointmentId),
        setReminder: (ctx, input) => setReminder(ctx, input.appointmentId, input.minutes),
        series,
        feed,
        administration,
        oversight,
        handover: handover(withGuests),
      }),
    }),
    reactions: () => feedReactions,
    schedules: () => [
      { name: 'expiry', every: { minutes: 1 }, run: expireUnanswered },
      { name: 'reminders', every: { seconds: 15 }, run: queueDueReminders },
    ],
    personal: [appointmentsPersonal({ asGuest })],
    tidy: [deleteOldSeriesChanges],
    sealed: Object.values(sealed),
  });
