/** Something that a person wants to reach. Its words are sealed. */
export interface GoalsTable {
  id: string;
  person_id: string;
  /** Sealed. */
  title: string;
  /** Sealed. */
  why: string | null;
  due_on: string | null;
  created_at: Date;
  updated_at: Date;
  achieved_at: Date | null;
  /** Removed: deleted for good a day later. */
  archived_at: Date | null;
}

/** One step towards a goal. */
export interface GoalStepsTable {
  id: string;
  goal_id: string;
  person_id: string;
  position: number;
  /** Sealed. */
  text: string;
  due_on: string | null;
  done_at: Date | null;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    goals: GoalsTable;
    goal_steps: GoalStepsTable;
  }
}
