import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { requireAdministered } from '../appointment/policies.ts';
import type { Locked } from '../changes/commands.ts';
import { withMoreTimes } from '../diary/commands.ts';
import { cancelLocked, lockAndAct, moveLocked } from '../life-cycle/commands.ts';
import type { AdministeredAppointment, AdministrationInput, AppointmentSearch } from './contract.ts';
import { administeredAppointment, searchAppointments, type FoundAppointments } from './queries.ts';

/** Search filters, as named in the audit log. */
const narrowings = [
  'words',
  'appointmentId',
  'personId',
  'status',
  'suspended',
  'from',
  'to',
] as const satisfies (keyof AppointmentSearch)[];

/** Searches all appointments. Logs the filters once per search, never the search words. */
export async function findAppointments(ctx: Ctx, search: AppointmentSearch): Promise<FoundAppointments> {
  return transact(ctx, async (tx) => {
    const found = await searchAppointments(tx, search);
    const { personId = null, appointmentId = null, lastId } = search;
    // Later pages belong to the search already logged.
    if (lastId === undefined) {
      await recordDone(tx, {
        action: 'booking.searched',
        details: {
          by: narrowings.filter((one) => search[one] !== undefined).join(' '),
          personId,
          appointmentId,
        },
      });
    }
    return found;
  });
}

/** Reschedules for both parties, who see the reason, ignoring the deadline and optionally advance notice. */
export async function rescheduleAdministered(
  ctx: Ctx,
  { notice, ...wish }: AdministrationInput & { startsAt: string; notice: 'kept' | 'waived' },
): Promise<AdministeredAppointment> {
  const start = Temporal.Instant.from(wish.startsAt).epochMilliseconds;
  const withoutNotice = notice === 'waived';
  await withMoreTimes(ctx, () =>
    actAsAdministrator(ctx, wish, 'reschedule', async (tx, locked) => {
      if (locked.row.starts_at.getTime() === start) throw invalidField('startsAt', 'same_time');
      await moveLocked(tx, locked, { start, withoutNotice, reason: wish.reason });
    }),
  );
  return administeredAppointment(ctx, wish.appointmentId);
}

/** Cancels for both parties, who see the reason, ignoring the deadline. */
export async function cancelAdministered(
  ctx: Ctx,
  wish: AdministrationInput,
): Promise<AdministeredAppointment> {
  await actAsAdministrator(ctx, wish, 'cancel', (tx, locked) =>
    cancelLocked(tx, locked, 'cancelled', wish.reason),
  );
  return administeredAppointment(ctx, wish.appointmentId);
}

/** Runs one life-cycle action if the appointment is still the version that the administrator saw. */
async function actAsAdministrator(
  ctx: Ctx,
  { appointmentId, sequence }: AdministrationInput,
  action: 'reschedule' | 'cancel',
  work: (tx: TxCtx, locked: Locked) => Promise<void>,
): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockAndAct(tx, await requireAdministered(tx, appointmentId), action, async (_, locked) => {
      if (locked.row.sequence !== sequence) throw new AppError('conflict', 'changed_meanwhile');
      await work(tx, locked);
    });
  });
}
