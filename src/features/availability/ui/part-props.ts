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

export interface WeekPartProps extends PartProps {
  /** Changes days; can be undone. */
  onAct: (week: TypedWeek) => void;
  /** Undefined while there is nothing to undo. */
  onUndo: (() => void) | undefined;
}
