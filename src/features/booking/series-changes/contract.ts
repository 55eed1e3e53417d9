import { z } from 'zod';
import { lines, procedure } from '#/features/access/contract.ts';
import { appointmentView, instant, startRefusals } from '../contract.ts';
import { seriesScope } from '../series/contract.ts';

/** The most sessions that a series has. */
const longestSeries = 12;

const oneAppointment = z.object({ appointmentId: z.uuid() });

/** A change of several sessions: exactly those that the person was shown, as they saw them; all others stay. */
const change = oneAppointment.extend({
  /** Made when the question opens: a repeated request changes the series once. */
  idempotencyKey: z.uuid(),
  scope: seriesScope,
  /** The named session is one of them. A sequence that has risen since is refused as `changed_meanwhile`. */
  chosen: z
    .array(z.object({ appointmentId: z.uuid(), sequence: z.number().int().min(0).max(2_147_483_647) }))
    .min(1)
    .max(longestSeries),
});

const cancellation = change.extend({ reason: lines.max(500).optional() });
const move = change.extend({ startsAt: instant });

export type SeriesCancellation = z.infer<typeof cancellation>;
export type SeriesMoveInput = z.infer<typeof move>;

/** Why a session of a series can't move with the others. */
const moveRefusals = [...startRefusals, 'not_free'] as const;

/** Where a session would move, and what stands against it. */
const plannedMove = z.object({
  appointmentId: z.uuid(),
  from: instant,
  startsAt: instant,
  refusal: z.enum(moveRefusals).nullable(),
});

export type PlannedMove = z.infer<typeof plannedMove>;

const own = procedure.meta({ access: ['view_own_appointments', 'manage_own_appointments'] });

export const seriesContract = {
  /** The sessions of the same series that still lie ahead, the named one among them, by start. */
  ahead: own
    .meta({ example: ({ appointmentId }) => ({ appointmentId }) })
    .route({ method: 'GET', path: '/appointments/{appointmentId}/series' })
    .input(oneAppointment)
    .output(z.array(appointmentView)),
  /** Where the sessions would move that can still be moved, and what stands against each; nothing is held by asking. */
  check: procedure
    .meta({
      access: ['view_own_appointments', 'manage_own_appointments'],
      unlogged: 'asks',
      example: ({ appointmentId, endsAt }) => ({ appointmentId, scope: 'following', startsAt: endsAt }),
    })
    .route({ method: 'POST', path: '/appointments/{appointmentId}/series/check' })
    .input(oneAppointment.extend({ scope: seriesScope, startsAt: instant }))
    .output(z.array(plannedMove)),
  /** Cancels the chosen sessions, or none of them; a provider declines with it what waits for their answer. */
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
  /** Moves the chosen sessions by the same days and hours on the provider's wall clock, or none of them. */
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

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    series: typeof seriesContract;
  }
}
