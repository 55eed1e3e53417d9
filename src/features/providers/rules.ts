import { m } from '#/texts/messages.js';
import type { FaithPart } from './contract.ts';
import type { ProviderKind } from './practice/rules.ts';

/** Mean rating to one decimal, null without ratings. */
export function meanRating(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round((sum / count) * 10) / 10;
}

export function confidentialityText(kind: ProviderKind): string {
  return kind === 'doctor' ? m.therapists_confidential_licensed() : m.therapists_confidential_ordained();
}

export function confidentialityLine(kind: ProviderKind): string {
  return kind === 'doctor'
    ? m.therapists_confidential_licensed_short()
    : m.therapists_confidential_ordained_short();
}

const faithTexts: Readonly<Record<FaithPart, () => string>> = {
  as_you_wish: m.therapists_faith_as_you_wish,
  woven_in: m.therapists_faith_woven_in,
  central: m.therapists_faith_central,
};

export function faithText(part: FaithPart): string {
  return faithTexts[part]();
}
