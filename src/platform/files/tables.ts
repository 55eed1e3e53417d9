import type { Generated } from 'kysely';

/** A place for files of one kind. */
export interface BucketsTable {
  id: string;
  readable_by: 'everyone' | 'owner';
  max_bytes: number;
  content_types: string[];
  /** Whether what is in it lies on the disk encrypted. */
  sealed: Generated<boolean>;
}

/** A stored file; its bytes lie under `object` on the disk. */
export interface FilesTable {
  id: string;
  bucket: string;
  /** Null: the site's own. */
  owner_id: string | null;
  name: string;
  content_type: string;
  size: number;
  object: string;
  /** The key of its bytes, sealed; null where they lie as they are. */
  sealed_key: string | null;
  created_at: Date;
  updated_at: Date;
}

/** Bytes to be deleted; the database itself notes them when a file's row goes or gets others. */
export interface FileLeftoversTable {
  object: string;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    buckets: BucketsTable;
    files: FilesTable;
    file_leftovers: FileLeftoversTable;
  }
}
