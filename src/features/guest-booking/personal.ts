import type { Ctx } from '#/platform/context.ts';
import type { PersonalPart } from '#/platform/personal.ts';
import { decryptRequest } from './queries.ts';

export const guestBookingPersonal: PersonalPart = {
  name: 'booking',
  async collect(ctx, personId) {
    // Without the secret, which could open the booking.
    const booking_requests = await ctx.db
      .selectFrom('booking_requests')
      .select(['id', 'email', 'input', 'sealed_input', 'created_at', 'expires_at', 'booking_id'])
      .where('id', 'in', requestsOf(ctx.db, personId))
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return {
      tables: {
        booking_requests: booking_requests.map(({ sealed_input, ...row }) => ({
          ...row,
          input: decryptRequest(ctx, { ...row, sealed_input }),
        })),
      },
    };
  },
  async erase({ db }, personId) {
    await db.deleteFrom('booking_requests').where('id', 'in', requestsOf(db, personId)).execute();
  },
};

/** Requests the person already booked, plus pending ones for their verified email. */
function requestsOf(db: Ctx['db'], personId: string) {
  return db
    .selectFrom('booking_requests')
    .innerJoin('bookings', 'bookings.id', 'booking_id')
    .select('booking_requests.id')
    .where('client_id', '=', personId)
    .union(
      db
        .selectFrom('booking_requests')
        .innerJoin('users', 'users.email', 'booking_requests.email')
        .select('booking_requests.id')
        .where('users.id', '=', personId)
        .where('email_verified', '=', true),
    );
}
