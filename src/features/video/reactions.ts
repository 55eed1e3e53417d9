import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { shutRoom } from './presence/commands.ts';

/** Whoever is in a room hears that its session was moved or is over, and is in it no longer. */
export const videoReactions: readonly Reaction[] = [
  reaction({
    event: 'booking.changed',
    name: 'video.changed',
    handle: (ctx, { appointmentId }) => shutRoom(ctx, appointmentId),
  }),
];
