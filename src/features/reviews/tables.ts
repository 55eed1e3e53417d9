import type { Generated, Selectable } from 'kysely';
import type { Naming, ReviewState } from './contract.ts';

/** Only approved reviews count and are public. */
export interface ReviewsTable {
  id: string;
  /** Null, like `client_id`, for imported reviews older than the recorded appointments. */
  appointment_id: string | null;
  client_id: string | null;
  provider_id: string;
  service_id: string;
  rating: number;
  text: string | null;
  named: Naming;
  /** At the time of writing; null if anonymous. */
  author_name: string | null;
  author_place: Generated<string>;
  state: ReviewState;
  reason: string | null;
  featured: Generated<boolean>;
  revision: Generated<number>;
  written_at: Date;
  changed_at: Date;
  decided_at: Date | null;
}

export type Review = Selectable<ReviewsTable>;

declare module '#/platform/context.ts' {
  interface Database {
    reviews: ReviewsTable;
  }
}
