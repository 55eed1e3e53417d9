import type { Generated, Selectable } from 'kysely';
import type { ResourceCategory, ResourceForm, ResourceStatus, ResourceType } from './contract.ts';

export interface ResourcesTable {
  id: string;
  title: string;
  author: string;
  type: ResourceType;
  category: ResourceCategory;
  description: string;
  duration_minutes: number | null;
  form: ResourceForm;
  body: Generated<string>;
  url: string | null;
  file_id: string | null;
  file_name: string | null;
  file_type: string | null;
  file_size: number | null;
  cover_id: string | null;
  status: Generated<ResourceStatus>;
  reject_reason: string | null;
  featured: Generated<boolean>;
  version: Generated<number>;
  created_by: string | null;
  rating_sum: Generated<number>;
  rating_count: Generated<number>;
  download_count: Generated<number>;
  created_at: Date;
  updated_at: Date;
  submitted_at: Date | null;
  published_at: Date | null;
  /** Computed from title, author, description and body. */
  search: Generated<string>;
}

/** Vocabulary of published resources: `traces` come from search/rules.ts, `uses` counts resources. */
export interface ResourceWordsTable {
  word: string;
  traces: string[];
  uses: number;
}

export interface ResourceGetsTable {
  person_id: string;
  resource_id: string;
  first_at: Date;
  last_at: Date;
  times: Generated<number>;
}

export interface ResourceFavouritesTable {
  person_id: string;
  resource_id: string;
  created_at: Date;
}

export interface ResourceRatingsTable {
  person_id: string;
  resource_id: string;
  rating: number;
  rated_at: Date;
}

export type Resource = Omit<Selectable<ResourcesTable>, 'search'>;

/** Leaves out the body and search vector. */
export const entryColumns = [
  'id',
  'title',
  'author',
  'type',
  'category',
  'description',
  'duration_minutes',
  'form',
  'file_id',
  'file_name',
  'file_type',
  'file_size',
  'cover_id',
  'status',
  'reject_reason',
  'featured',
  'version',
  'created_by',
  'rating_sum',
  'rating_count',
  'download_count',
  'created_at',
  'updated_at',
  'submitted_at',
  'published_at',
] as const satisfies readonly (keyof Resource)[];

export const resourceColumns = [...entryColumns, 'body', 'url'] as const;

declare module '#/platform/context.ts' {
  interface Database {
    resources: ResourcesTable;
    resource_words: ResourceWordsTable;
    resource_gets: ResourceGetsTable;
    resource_favourites: ResourceFavouritesTable;
    resource_ratings: ResourceRatingsTable;
  }
}
