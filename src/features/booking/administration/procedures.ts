import { bind } from '#/platform/http/procedures.ts';
import { startsForBoth } from '../free-starts/queries.ts';
import { cancelAdministered, findAppointments, rescheduleAdministered } from './commands.ts';
import { appointmentsContract } from './contract.ts';

const os = bind(appointmentsContract);

export const appointmentsProcedures = os.router({
  find: os.find.handler(({ context, input }) => findAppointments(context, input)),
  freeStarts: os.freeStarts.handler(({ context, input: { notice, ...input } }) =>
    startsForBoth(context, { ...input, withoutNotice: notice === 'waived' }),
  ),
  reschedule: os.reschedule.handler(({ context, input }) => rescheduleAdministered(context, input)),
  cancel: os.cancel.handler(({ context, input }) => cancelAdministered(context, input)),
});
