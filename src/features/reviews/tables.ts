import type { Generated, Selectable } from 'kysely';
import type { Naming, ReviewState } from './contract.ts';

/** A client's rating of a session, with words or without. Only those that are approved count and are public. */
export interface ReviewsTable {
  id: string;
  /** Null, as the client's: it is older than the appointments that are kept here. */
  appointment_id: string | null;
  client_id: string | null;
  provider_id: string;
  service_id: string;
  rating: number;
  text: string | null;
  named: Naming;
  /** As the client was called when they wrote it; null where they chose not to be named. */
  author_name: string | null;
  author_place: Generated<string>;
  state: ReviewState;
  reason: string | null;
  featured: Generated<boolean>;
  /** Rises with every change of the words. */
  revision: Generated<number>;
  written_at: Date;
  changed_at: Date;
  /** When it was approved or rejected. */
  decided_at: Date | null;
}

export type Review = Selectable<ReviewsTable>;

declare module '#/platform/db/database.ts' {
  interface Database {
    reviews: ReviewsTable;
  }
}
