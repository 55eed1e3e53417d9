import { z } from 'zod';
import { lines, procedure, uuid } from '#/features/access/contract.ts';
import { appointmentView, instant, startRefusals } from '../appointment/contract.ts';

const longestSeries = 12;

export const seriesScope = z.enum(['following', 'all']);

export type SeriesScope = z.infer<typeof seriesScope>;

const oneAppointment = z.object({ appointmentId: uuid });

/** Exactly the sessions and versions shown. */
const change = oneAppointment.extend({
  /** Made when the dialog opens: retries apply once. */
  idempotencyKey: uuid,
  scope: seriesScope,
  /** Must include the named session. Throws `changed_meanwhile` if a version is outdated. */
  chosen: z
    .array(z.object({ appointmentId: uuid, sequence: z.number().int().min(0).max(2_147_483_647) }))
    .min(1)
    .max(longestSeries),
});

const cancellation = change.extend({ reason: lines.max(500).optional() });
const move = change.extend({ startsAt: instant });

export type SeriesCancellation = z.infer<typeof cancellation>;
export type SeriesMoveInput = z.infer<typeof move>;

const moveRefusals = [...startRefusals, 'not_free'] as const;

const plannedMove = z.object({
  appointmentId: uuid,
  from: instant,
  startsAt: instant,
  refusal: z.enum(moveRefusals).nullable(),
});

export type PlannedMove = z.infer<typeof plannedMove>;

const own = procedure.meta({ access: ['view_own_appointments', 'manage_own_appointments'] });

export const seriesContract = {
  /** Lists the series' upcoming sessions by start, including the named one. */
  ahead: own
    .meta({ example: ({ appointmentId }) => ({ appointmentId }) })
    .route({ method: 'GET', path: '/appointments/{appointmentId}/series' })
    .input(oneAppointment)
    .output(z.array(appointmentView)),
  /** Previews new times and conflicts; reserves nothing. */
  check: procedure
    .meta({
      access: ['view_own_appointments', 'manage_own_appointments'],
      unlogged: 'asks',
      example: ({ appointmentId, endsAt }) => ({ appointmentId, scope: 'following', startsAt: endsAt }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/series/check' })
    .input(oneAppointment.extend({ scope: seriesScope, startsAt: instant }))
    .output(z.array(plannedMove)),
  /** Cancels all selected sessions or none. A provider declines pending ones. */
  cancel: own
    .meta({
      writes: ['booking.cancelled service_management appointment'],
      example: ({ id, appointmentId }) => ({
        appointmentId,
        idempotencyKey: id,
        scope: 'following',
        chosen: [{ appointmentId, sequence: 0 }],
        reason: 'I am ill.',
      }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/series/cancel' })
    .input(cancellation)
    .output(z.array(appointmentView)),
  /** Reschedules all selected sessions or none, by the same wall-clock shift. */
  reschedule: own
    .meta({
      writes: ['booking.rescheduled service_management appointment'],
      example: ({ id, appointmentId, endsAt }) => ({
        appointmentId,
        idempotencyKey: id,
        scope: 'all',
        chosen: [{ appointmentId, sequence: 0 }],
        startsAt: endsAt,
      }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/series/reschedule' })
    .input(move)
    .output(z.array(appointmentView)),
};
