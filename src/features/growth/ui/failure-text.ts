import { m } from '#/texts/messages.js';
import { failureText, type FailureTexts } from '#/web/failures.ts';

export function growthFailureText(error: unknown, general: FailureTexts = {}): string {
  return failureText(error, {
    ...general,
    feature_off: m.growth_failed_off,
    goal: m.growth_failed_gone,
    journal_entry: m.growth_failed_gone,
    prayer: m.growth_failed_gone,
    specialist: m.growth_failed_counsellor_gone,
    counsellor_gone: m.growth_failed_counsellor_gone,
    prayer_settled: m.growth_failed_settled,
    too_many_prayers: m.growth_failed_many_prayers,
  });
}
