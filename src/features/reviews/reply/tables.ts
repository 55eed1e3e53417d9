import type { Generated, Selectable } from 'kysely';
import type { ReplyState } from './contract.ts';

/** What a provider answers to a review. */
export interface ReviewRepliesTable {
  review_id: string;
  provider_id: string;
  /** As they last wrote it. */
  text: string;
  state: ReplyState;
  reason: string | null;
  /** Rises with every change of the words. */
  revision: Generated<number>;
  /** The words that were approved last and are public, also while others wait. */
  shown_text: string | null;
  written_at: Date;
  changed_at: Date;
  /** When it was approved or rejected. */
  decided_at: Date | null;
}

export type ReviewReply = Selectable<ReviewRepliesTable>;

declare module '#/platform/db/database.ts' {
  interface Database {
    review_replies: ReviewRepliesTable;
  }
}
