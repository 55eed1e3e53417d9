import { z } from 'zod';
import { lines, procedure, uuid } from '#/features/access/contract.ts';
import { sessionPlan } from '#/features/accounts/users/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';
import { instant, statuses } from '../appointment/contract.ts';

/** Only what an administrator needs to decide: people, time and type. */
const upcomingSession = z.object({
  id: uuid,
  /** Version for optimistic locking. */
  sequence: z.number().int(),
  status: z.enum(statuses),
  sessionType: z.enum(sessionTypes),
  startsAt: instant,
  endsAt: instant,
  service: z.string(),
  client: z.string(),
  takers: z.array(z.object({ id: uuid, name: z.string() })),
});

export type UpcomingSession = z.infer<typeof upcomingSession>;

const handover = z.object({
  revoked: z.object({ at: z.iso.datetime(), reason: z.string() }).nullable(),
  sessions: z.array(upcomingSession),
  more: z.boolean(),
});

export type HandoverView = z.infer<typeof handover>;

const provider = z.object({ providerId: uuid });
const manage = procedure.meta({ access: ['manage_providers'] });
const changed = z.object({ id: uuid, revoked: z.boolean() });

export const handoverContract = {
  /** Upcoming sessions with replacements. Viewing is logged. */
  sessions: procedure
    .meta({
      access: ['manage_appointments'],
      writes: ['booking.searched service_management provider'],
      example: ({ providerId }) => ({ providerId }),
    })
    .route({ method: 'GET', path: '/admin/specialists/{providerId}/sessions' })
    .input(provider)
    .output(handover),
  /** Revokes approval and applies the plan. The specialist sees the reason. */
  revoke: manage
    .meta({
      writes: [
        'provider.approval_revoked provider_approval provider',
        'provider.unlisted provider_approval provider',
      ],
      example: ({ appointmentId, providerId }) => ({
        providerId,
        reason: 'The board withdrew the license.',
        sessions: [{ appointmentId, sequence: 0, outcome: 'reassign', providerId }],
      }),
    })
    .route({ method: 'POST', path: '/admin/specialists/{providerId}/revoke' })
    .input(provider.extend({ reason: lines.min(1).max(500), sessions: sessionPlan.default([]) }))
    .output(changed),
  restore: manage
    .meta({
      writes: [
        'provider.approval_restored provider_approval provider',
        'provider.listed provider_approval provider',
      ],
      example: ({ providerId }) => ({ providerId }),
    })
    .route({ method: 'POST', path: '/admin/specialists/{providerId}/restore' })
    .input(provider)
    .output(changed),
};
