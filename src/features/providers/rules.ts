import { m } from '#/texts/messages.js';
import type { FaithPart, Specialist } from './contract.ts';

/** Mean rating to one decimal, null without ratings. */
export function meanRating(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round((sum / count) * 10) / 10;
}

type Kind = Specialist['kind'];

export function kindText(kind: Kind): string {
  return kind === 'doctor' ? m.therapists_kind_licensed() : m.therapists_kind_ordained();
}

export function confidentialityText(kind: Kind): string {
  return kind === 'doctor' ? m.therapists_confidential_licensed() : m.therapists_confidential_ordained();
}

export function confidentialityLine(kind: Kind): string {
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
