import { z } from 'zod';
import { lines, procedure } from '#/features/access/contract.ts';
import { sessionPlan } from '#/features/accounts/directory/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';
import { instant, statuses } from '../contract.ts';

/** The longest reason for revoking an approval. */
const longestReason = 500;

export type LongestReason = typeof longestReason;

/** A session that a specialist still has, as an administrator decides on it: who, when and what kind, no more. */
const upcomingSession = z.object({
  id: z.uuid(),
  /** Rises with every change; what is decided names it. */
  sequence: z.number().int(),
  status: z.enum(statuses),
  sessionType: z.enum(sessionTypes),
  startsAt: instant,
  endsAt: instant,
  service: z.string(),
  client: z.string(),
  /** Who offers the same and is free at that time. */
  takers: z.array(z.object({ id: z.uuid(), name: z.string() })),
});

export type UpcomingSession = z.infer<typeof upcomingSession>;

const handover = z.object({
  /** When the specialist's approval was revoked, and why; null while it holds. */
  revoked: z.object({ at: z.iso.datetime(), reason: z.string() }).nullable(),
  sessions: z.array(upcomingSession),
  /** There are later ones, which stay as they are. */
  more: z.boolean(),
});

export type HandoverView = z.infer<typeof handover>;

const provider = z.object({ providerId: z.uuid() });
const manage = procedure.meta({ access: ['manage_providers'] });
const changed = z.object({ id: z.uuid(), revoked: z.boolean() });

/** What becomes of a specialist's approval, and of the sessions that they still have. */
export const handoverContract = {
  /** The sessions to come of a specialist with who could hold each instead; that somebody looked is noted. */
  sessions: procedure
    .meta({
      access: ['manage_appointments'],
      writes: ['booking.searched service_management provider'],
      example: ({ providerId }) => ({ providerId }),
    })
    .route({ method: 'GET', path: '/admin/specialists/{providerId}/sessions' })
    .input(provider)
    .output(handover),
  /** Revokes an approval and does with each session what was planned; the specialist reads the reason. */
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
    .input(provider.extend({ reason: lines.min(1).max(longestReason), sessions: sessionPlan.default([]) }))
    .output(changed),
  /** Approves a specialist again; cancelled sessions don't come back. */
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

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    handover: typeof handoverContract;
  }
}
