import type { AvailabilityView } from '../contract.ts';
import type { Problems } from './problem-texts.ts';
import type { TypedWeek } from './week-draft.ts';

/** What each part of the editor is given: the week as it stands, what is stored, and what is wrong. */
export interface PartProps {
  week: TypedWeek;
  view: AvailabilityView;
  problems: Problems;
  onChange: (week: TypedWeek) => void;
  /** Hears what was done, in words that are read out. */
  onNews: (news: string) => void;
}
