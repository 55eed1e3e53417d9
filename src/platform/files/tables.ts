import type { Generated } from 'kysely';

export interface BucketsTable {
  id: string;
  readable_by: 'everyone' | 'owner';
  max_bytes: number;
  content_types: string[];
  sealed: Generated<boolean>;
}

export interface FilesTable {
  id: string;
  bucket: string;
  /** Null: owned by the site. */
  owner_id: string | null;
  name: string;
  content_type: string;
  size: number;
  object: string;
  /** The file's encrypted key; null for unencrypted files. */
  sealed_key: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface FileLeftoversTable {
  object: string;
}

declare module '../context.ts' {
  interface Database {
    buckets: BucketsTable;
    files: FilesTable;
    file_leftovers: FileLeftoversTable;
  }
}
