import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';

const reasons: Readonly<Record<string, () => string>> = {
  feature_off: m.growth_failed_off,
  goal: m.growth_failed_gone,
  journal_entry: m.growth_failed_gone,
  prayer: m.growth_failed_gone,
  specialist: m.growth_failed_counsellor_gone,
  counsellor_gone: m.growth_failed_counsellor_gone,
  prayer_settled: m.growth_failed_settled,
  too_many_prayers: m.growth_failed_many_prayers,
};

export function failureText(error: unknown): string {
  if (!(error instanceof AppError)) return m.growth_failed_unreachable();
  const known = Object.hasOwn(reasons, error.reason) ? reasons[error.reason] : undefined;
  if (known) return known();
  if (error.code === 'unauthenticated') return m.growth_failed_signed_out();
  if (error.code === 'rate_limited') return m.growth_failed_too_many();
  return m.growth_failed_other();
}
