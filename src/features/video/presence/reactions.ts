import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { reviewRoom, reviewRoomOfGuest } from './commands.ts';

/** Updates rooms after appointment and guest changes and removes people who no longer belong there. */
export const videoReactions: readonly Reaction[] = [
  reaction({
    event: 'booking.changed',
    name: 'video.changed',
    handle: (ctx, { appointmentId }) => reviewRoom(ctx, appointmentId),
  }),
  reaction({
    event: 'booking.series_changed',
    name: 'video.series_changed',
    handle: async (ctx, { appointmentIds }) => {
      for (const id of appointmentIds) await reviewRoom(ctx, id);
    },
  }),
  reaction({
    event: 'booking.guest_answered',
    name: 'video.guest_answered',
    handle: (ctx, { guestId }) => reviewRoomOfGuest(ctx, guestId),
  }),
  reaction({
    event: 'booking.guest_withdrawn',
    name: 'video.guest_withdrawn',
    handle: (ctx, { guestId }) => reviewRoomOfGuest(ctx, guestId),
  }),
];
