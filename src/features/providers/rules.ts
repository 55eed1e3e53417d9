import { m } from '#/texts/messages.js';
import type { FaithPart, Specialist } from './contract.ts';

/** The mean of ratings to one decimal, null without any. */
export function meanRating(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round((sum / count) * 10) / 10;
}

type Kind = Specialist['kind'];

/** What somebody is before the law: a licensed clinician or an ordained counsellor. */
export function kindText(kind: Kind): string {
  return kind === 'doctor' ? m.therapists_kind_licensed() : m.therapists_kind_ordained();
}

/** What that means for what a client says to them. */
export function confidentialityText(kind: Kind): string {
  return kind === 'doctor' ? m.therapists_confidential_licensed() : m.therapists_confidential_ordained();
}

/** The same in one line. */
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

/** How much faith is part of a session, in words. */
export function faithText(part: FaithPart): string {
  return faithTexts[part]();
}
