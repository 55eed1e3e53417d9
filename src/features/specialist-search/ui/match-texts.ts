import type { FaithPart, SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import type { Choice } from '#/web/components/choice.tsx';
import type { Answers, Reason, Suggestion, Weight, CareFor } from '../match/rules.ts';
import { timeTexts, typeTextsOf, type Search } from './find-search.ts';

type Texts<Key extends string> = Readonly<Record<Key, () => string>>;

const whom: Texts<CareFor> = {
  me: m.match_whom_me,
  couple: m.match_whom_couple,
  family: m.match_whom_family,
  teen: m.match_whom_teen,
};
const weight: Texts<Weight> = {
  low: m.match_weight_low,
  hurt: m.match_weight_hurt,
  together: m.match_weight_together,
  grief: m.match_weight_grief,
  faith: m.match_weight_faith,
  other: m.match_weight_other,
  life: m.match_weight_life,
};
const kind: Texts<NonNullable<Answers['kind']>> = {
  doctor: m.match_kind_doctor,
  pastor: m.match_kind_pastor,
  unsure: m.match_kind_unsure,
};
const kindMeaning: typeof kind = {
  doctor: m.match_kind_doctor_text,
  pastor: m.match_kind_pastor_text,
  unsure: m.match_kind_unsure_text,
};
const faithPart: Texts<FaithPart> = {
  as_you_wish: m.match_faith_as_you_wish,
  woven_in: m.match_faith_woven_in,
  central: m.match_faith_central,
};

export const texts = { whom, weight, kind, kindMeaning, faithPart, time: timeTexts };

export function choicesOf<Key extends string>(
  labels: Partial<Texts<Key>>,
  descriptions?: Texts<Key>,
): Choice<Key>[] {
  return (Object.entries(labels) as [Key, () => string][]).map(([value, label]) => ({
    value,
    label: label(),
    description: descriptions?.[value](),
  }));
}

export function meetingChoices(hasVideo: boolean): Choice<SessionType | 'any'>[] {
  return choicesOf<SessionType | 'any'>({ ...typeTextsOf(hasVideo), any: m.match_any });
}

export function matchReasonText(
  { specialist, reasons }: Suggestion,
  search: Pick<Search, 'type'>,
  service: string | undefined,
): string {
  const why: Record<Reason, () => string> = {
    service: () => m.match_why_service({ service: service ?? '' }),
    kind: specialist.kind === 'doctor' ? m.match_why_doctor : m.match_why_pastor,
    kind_wiser: specialist.kind === 'doctor' ? m.match_why_doctor_wiser : m.match_why_pastor_wiser,
    faith: m.match_why_faith,
    session_type:
      search.type === 'in-person'
        ? m.match_why_type_in_person
        : search.type === 'phone'
          ? m.match_why_type_phone
          : m.match_why_type_online,
    time: m.match_why_time,
    listed: m.match_why_listed,
  };
  // A fixed locale is safe: reasons contain no numbers or times.
  const list = new Intl.ListFormat('en-US', { type: 'conjunction' });
  return m.match_why({ name: specialist.name, reasons: list.format(reasons.map((one) => why[one]())) });
}
