import type { Generated, Selectable } from 'kysely';
import type { ReplyState } from './contract.ts';

export interface ReviewRepliesTable {
  review_id: string;
  provider_id: string;
  text: string;
  state: ReplyState;
  reason: string | null;
  revision: Generated<number>;
  /** Approved; stays public while an edit is waiting. */
  shown_text: string | null;
  written_at: Date;
  changed_at: Date;
  decided_at: Date | null;
}

export type ReviewReply = Selectable<ReviewRepliesTable>;

declare module '#/platform/context.ts' {
  interface Database {
    review_replies: ReviewRepliesTable;
  }
}
