import type { Ctx } from '#/platform/context.ts';
import { sealedColumn as column } from '#/platform/crypto/sealed-column.ts';
import type { AskInput } from '#/features/guest-booking/contract.ts';
import type { StoredRequest } from '#/features/guest-booking/tables.ts';
import type { Appointment } from '../tables.ts';

/** Encrypted columns, with the context each is bound to. */
export const sealed = {
  cancelReason: column('appointments', 'sealed_cancel_reason'),
  movedReason: column('appointments', 'sealed_moved_reason'),
  request: column('booking_requests', 'sealed_input'),
} as const;

type Reasons = Pick<
  Appointment,
  'id' | 'cancel_reason' | 'sealed_cancel_reason' | 'moved_reason' | 'sealed_moved_reason'
>;

export function withReasons<Row extends Reasons>(
  { keyring }: Pick<Ctx, 'keyring'>,
  row: Row,
): Omit<Row, 'sealed_cancel_reason' | 'sealed_moved_reason'> {
  const { sealed_cancel_reason, sealed_moved_reason, ...rest } = row;
  return {
    ...rest,
    cancel_reason: sealed.cancelReason.openOrClear(keyring, row.id, sealed_cancel_reason, row.cancel_reason),
    moved_reason: sealed.movedReason.openOrClear(keyring, row.id, sealed_moved_reason, row.moved_reason),
  };
}

/** Decrypts a guest's request; null once booked. */
export function askedIn(
  { keyring }: Pick<Ctx, 'keyring'>,
  { id, input, sealed_input }: Pick<StoredRequest, 'id' | 'input' | 'sealed_input'>,
): AskInput | null {
  const opened = sealed.request.openIfAny(keyring, id, sealed_input);
  return opened === null ? input : (JSON.parse(opened) as AskInput);
}
