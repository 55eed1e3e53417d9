import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { cancelForBoth, rescheduleForBoth } from '../life-cycle/commands.ts';
import type { AdministeredAppointment, AdministrationWish, AppointmentSearch } from './contract.ts';
import { administeredAppointment, searchAppointments, type FoundAppointments } from './queries.ts';

/** Search filters, as named in the audit log. */
const narrowings = [
  'words',
  'appointmentId',
  'clientId',
  'providerId',
  'status',
  'from',
  'to',
] as const satisfies (keyof AppointmentSearch)[];

/** Searches all appointments. Logs the filters once per search, never the search words. */
export async function findAppointments(ctx: Ctx, search: AppointmentSearch): Promise<FoundAppointments> {
  return transact(ctx, async (tx) => {
    const found = await searchAppointments(tx, search);
    const { clientId = null, providerId = null, appointmentId = null, lastId } = search;
    // Later pages belong to the search already logged.
    if (lastId === undefined) {
      await recordDone(tx, {
        action: 'booking.searched',
        category: 'service_management',
        details: {
          by: narrowings.filter((one) => search[one] !== undefined).join(' '),
          clientId,
          providerId,
          appointmentId,
        },
      });
    }
    return found;
  });
}

/** Reschedules for both parties, who see the reason. */
export async function rescheduleAdministered(
  ctx: Ctx,
  { notice, ...wish }: AdministrationWish & { startsAt: string; notice: 'kept' | 'waived' },
): Promise<AdministeredAppointment> {
  await rescheduleForBoth(ctx, { ...wish, withoutNotice: notice === 'waived' });
  return administeredAppointment(ctx, wish.appointmentId);
}

/** Cancels for both parties, who see the reason. */
export async function cancelAdministered(
  ctx: Ctx,
  wish: AdministrationWish,
): Promise<AdministeredAppointment> {
  await cancelForBoth(ctx, wish);
  return administeredAppointment(ctx, wish.appointmentId);
}
