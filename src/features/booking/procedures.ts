import { selfOf } from '#/features/access/rules.ts';
import { bind } from '#/platform/http/procedures.ts';
import { book } from './commands.ts';
import { bookingContract } from './contract.ts';
import { findingProcedures } from './finding/procedures.ts';
import { clientFigures, providerFigures } from './figures/queries.ts';
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
import { agendaOf } from './agenda/queries.ts';
import { bookFor } from './on-behalf/commands.ts';
import { ownClashes, previewAvailability } from './preview/queries.ts';
import { appointmentView, membershipOf, myAppointments } from './queries.ts';
import { checkSeries, freeStarts } from './free-starts/queries.ts';
import { requestsProcedures } from './requests/procedures.ts';

const os = bind(bookingContract);

export function bookingProcedures(config: { rateLimitFactor: number }) {
  return os.router({
    finding: findingProcedures,
    requests: requestsProcedures(config),
    previewAvailability: os.previewAvailability.handler(({ context, input }) =>
      previewAvailability(context, selfOf(context), input),
    ),
    clashes: os.clashes.handler(({ context }) => ownClashes(context, selfOf(context))),
    agenda: os.agenda.handler(({ context, input }) => agendaOf(context, selfOf(context), input)),
    freeStarts: os.freeStarts.handler(({ context, input }) => freeStarts(context, input)),
    checkSeries: os.checkSeries.handler(({ context, input }) => checkSeries(context, selfOf(context), input)),
    book: os.book.handler(({ context, input }) => book(context, input)),
    bookFor: os.bookFor.handler(({ context, input }) => bookFor(context, input)),
    mine: os.mine.handler(({ context, input }) => myAppointments(context, selfOf(context), input)),
    get: os.get.handler(async ({ context, input }) =>
      appointmentView(context, (await membershipOf(context, input.appointmentId)).appointmentId),
    ),
    clientFigures: os.clientFigures.handler(({ context, input }) =>
      clientFigures(context, selfOf(context), input.timeZone),
    ),
    providerFigures: os.providerFigures.handler(({ context }) => providerFigures(context, selfOf(context))),
    reschedule: os.reschedule.handler(({ context, input }) =>
      reschedule(context, input.appointmentId, input.startsAt),
    ),
    cancel: os.cancel.handler(({ context, input }) => cancel(context, input.appointmentId, input.reason)),
    confirm: os.confirm.handler(({ context, input }) => confirm(context, input.appointmentId)),
    decline: os.decline.handler(({ context, input }) => decline(context, input.appointmentId, input.reason)),
    complete: os.complete.handler(({ context, input }) => complete(context, input.appointmentId)),
    markNoShow: os.markNoShow.handler(({ context, input }) => markNoShow(context, input.appointmentId)),
    markEmergency: os.markEmergency.handler(({ context, input }) =>
      markEmergency(context, input.appointmentId),
    ),
    setReminder: os.setReminder.handler(({ context, input }) =>
      setReminder(context, input.appointmentId, input.minutes),
    ),
  });
}
