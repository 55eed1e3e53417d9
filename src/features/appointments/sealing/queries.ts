import type { Ctx } from '#/platform/context.ts';
import { sealedColumn as column } from '#/platform/sealed-column.ts';
import type { Appointment } from '../tables.ts';

/** Encrypted columns, with the context each is bound to. */
export const sealed = {
  cancelReason: column('appointments', 'sealed_cancel_reason'),
  movedReason: column('appointments', 'sealed_moved_reason'),
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
