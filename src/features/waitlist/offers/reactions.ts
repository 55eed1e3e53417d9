import type { Ctx } from '#/platform/context.ts';
import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { hasWaitingClients } from '../queries.ts';
import { updateWaitingList } from './commands.ts';

/** Advances the waiting list after events that free or take times. */
export const waitlistReactions: readonly Reaction[] = [
  reaction({
    event: 'booking.changed',
    name: 'waitlist.changed',
    handle: async (ctx, { appointmentId, change }) => {
      if (change === 'confirmed' || change === 'completed' || change === 'no_show') return;
      await updateListsOf(
        ctx,
        ctx.db.selectFrom('appointments').select('provider_id').where('id', '=', appointmentId),
      );
    },
  }),
  reaction({
    event: 'booking.series_changed',
    name: 'waitlist.series_changed',
    handle: (ctx, { appointmentIds }) =>
      updateListsOf(
        ctx,
        ctx.db.selectFrom('appointments').select('provider_id').where('id', 'in', appointmentIds).limit(1),
      ),
  }),
  reaction({
    event: 'booking.booked',
    name: 'waitlist.booked',
    // Nobody joins until the booking commits: both lock the diary.
    isNeeded: (tx, { bookingId }) => hasWaitingClients(tx, providerOf(tx, bookingId)),
    handle: (ctx, { bookingId }) => updateListsOf(ctx, providerOf(ctx, bookingId)),
  }),
  reaction({
    event: 'availability.changed',
    name: 'waitlist.hours',
    handle: (ctx, { providerId }) => updateWaitingList(ctx, providerId),
  }),
  reaction({
    event: 'providers.listing_changed',
    name: 'waitlist.listing',
    handle: (ctx, { providerId }) => updateWaitingList(ctx, providerId),
  }),
  reaction({
    event: 'providers.places_changed',
    name: 'waitlist.places',
    handle: (ctx, { providerId }) => updateWaitingList(ctx, providerId),
  }),
  reaction({
    event: 'waitlist.turn_due',
    name: 'waitlist.turn',
    handle: (ctx, { providerId }) => updateWaitingList(ctx, providerId),
  }),
];

function providerOf({ db }: Ctx, bookingId: string) {
  return db.selectFrom('appointments').select('provider_id').where('booking_id', '=', bookingId).limit(1);
}

async function updateListsOf(
  ctx: Ctx,
  provider: { executeTakeFirst(): Promise<{ provider_id: string } | undefined> },
): Promise<void> {
  const found = await provider.executeTakeFirst();
  if (found) await updateWaitingList(ctx, found.provider_id);
}
