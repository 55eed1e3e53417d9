import type { AvailabilityView } from '../contract.ts';
import type { Problems } from './problem-texts.ts';
import type { TypedWeek } from './week-draft.ts';

export interface PartProps {
  week: TypedWeek;
  view: AvailabilityView;
  problems: Problems;
  onChange: (week: TypedWeek) => void;
  onNews: (news: string) => void;
}
