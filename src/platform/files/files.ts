import type { Ctx } from '../context.ts';

/** A place for files of one kind, and what it takes. Base data has `photos`, `resources`, `documents` and `exports`. */
export interface Bucket {
  id: string;
  /** Who may read what is in it: everyone, or its owner alone. A signed link opens a file of either kind. */
  readableBy: 'everyone' | 'owner';
  maxBytes: number;
  /** What a file's bytes may show it to be. */
  contentTypes: readonly string[];
}

/** A stored file as its row tells it. */
export interface StoredFile {
  id: string;
  bucket: string;
  /** Null: the site's own. */
  ownerId: string | null;
  /** As a download is called. */
  name: string;
  contentType: string;
  size: number;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
}

/** Bytes as they come: whole, or as they arrive. */
export type Bytes = Uint8Array | ReadableStream<Uint8Array>;

/**
 * The one storage layer: rows in the database say what there is, a disk (a local folder or S3) holds the bytes. It
 * checks what a bucket takes by the bytes themselves; who may do what is decided by whoever calls it. A context inside a
 * transaction makes the rows commit with it.
 */
export interface Files {
  /** Stores a new file. Throws invalid `file_empty`, `file_too_large` or `file_type` (field `file`), and nothing is stored. */
  upload(
    ctx: Ctx,
    file: { bucket: string; ownerId: string | null; name: string; body: Bytes },
  ): Promise<StoredFile>;
  /** Puts other bytes in a file's place, under the same id. */
  update(ctx: Ctx, id: string, body: Bytes): Promise<StoredFile>;
  move(ctx: Ctx, id: string, to: { bucket?: string; name?: string }): Promise<StoredFile>;
  copy(ctx: Ctx, id: string, to: { bucket?: string; name?: string }): Promise<StoredFile>;
  /** What is known of a file; throws not_found `file`. */
  info(ctx: Ctx, id: string): Promise<StoredFile>;
  /** At most 100 from the first on, by name ascending, unless it is asked for otherwise. */
  list(
    ctx: Ctx,
    bucket: string,
    options?: { ownerId?: string; search?: string; limit?: number; offset?: number },
  ): Promise<StoredFile[]>;
  /** A file's bytes from `start` to `end`, both included; the whole of it without a range. Throws not_found `file`. */
  read(ctx: Ctx, id: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>>;
  /** A path of this site that opens the file for so many seconds for whoever has it. */
  link(ctx: Ctx, file: Pick<StoredFile, 'id' | 'name'>, seconds: number): string;
  /** Deletes files and their bytes; ids that aren't there are left out. */
  remove(ctx: Ctx, ids: readonly string[]): Promise<void>;
  buckets: {
    list(ctx: Ctx): Promise<Bucket[]>;
    /** Throws not_found `bucket`. */
    get(ctx: Ctx, id: string): Promise<Bucket>;
    create(ctx: Ctx, bucket: Bucket): Promise<void>;
    update(ctx: Ctx, id: string, change: Partial<Omit<Bucket, 'id'>>): Promise<void>;
    empty(ctx: Ctx, id: string): Promise<void>;
    /** Throws conflict `bucket_not_empty`. */
    remove(ctx: Ctx, id: string): Promise<void>;
  };
  /** Whether something can be written and read back now. */
  ready(): Promise<boolean>;
}
