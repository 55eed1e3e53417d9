import type { Generated } from 'kysely';

export interface GoalsTable {
  id: string;
  person_id: string;
  /** Encrypted. */
  title: string;
  /** Encrypted. */
  why: string | null;
  due_on: string | null;
  created_at: Date;
  updated_at: Date;
  achieved_at: Date | null;
  /** Deletion time; purged a day later. */
  archived_at: Date | null;
  version: Generated<number>;
}

export interface GoalStepsTable {
  id: string;
  goal_id: string;
  person_id: string;
  position: number;
  /** Encrypted. */
  text: string;
  due_on: string | null;
  done_at: Date | null;
}

declare module '#/platform/context.ts' {
  interface Database {
    goals: GoalsTable;
    goal_steps: GoalStepsTable;
  }
}
