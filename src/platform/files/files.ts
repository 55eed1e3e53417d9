import type { Ctx, TxCtx } from '../context.ts';

declare module '../context.ts' {
  interface Ctx {
    files: Files;
  }
}

/** A place for files of one kind, and what it takes. Base data has `photos`, `resources`, `documents`, `exports` and `attachments`. */
export interface Bucket {
  id: string;
  /** Who may read what is in it: everyone, or its owner alone. A signed link opens a file of either kind. */
  readableBy: 'everyone' | 'owner';
  maxBytes: number;
  /** What a file's bytes may show it to be. */
  contentTypes: readonly string[];
  /**
   * Whether the bytes of what is in it lie on the disk encrypted, each file's with a key of its own. Whatever is sealed is
   * given out by the part of the product that keeps it, and by nothing else: it has no address of its own.
   */
  sealed: boolean;
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
  /** Another one for other bytes. */
  version: string;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
}

/** A file's row is there, and its bytes can't be read: they are missing, or the storage fails. */
export class UnreadableBytes extends Error {}

/** Bytes as they come: whole, or as they arrive. */
export type Bytes = Uint8Array | ReadableStream<Uint8Array>;

/**
 * The one storage layer: rows in the database say what there is, a disk (a local folder or S3) holds the bytes. It
 * checks what a bucket takes by the bytes themselves; who may do what is decided by whoever calls it. A context inside a
 * transaction makes the rows commit with it.
 */
export interface Files {
  /**
   * Stores a new file. Throws invalid `file_empty`, `file_too_large` or `file_type` (field `file`), and nothing is stored.
   * A body that is still arriving is taken outside a transaction, which it would hold open: what is to be written
   * together with the file's row is written by `along`, and whatever that throws takes the file back.
   */
  upload(
    ctx: Ctx,
    file: { bucket: string; ownerId: string | null; name: string; body: Bytes },
    along?: (tx: TxCtx, file: StoredFile) => Promise<void>,
  ): Promise<StoredFile>;
  /** Puts other bytes in a file's place, under the same id. */
  update(
    ctx: Ctx,
    id: string,
    body: Bytes,
    along?: (tx: TxCtx, file: StoredFile) => Promise<void>,
  ): Promise<StoredFile>;
  /** Gives a file another name, or another bucket that takes it; what is sealed stays among what is sealed. */
  move(ctx: Ctx, id: string, to: { bucket?: string; name?: string }): Promise<StoredFile>;
  /** Stores the same bytes once more; unless told otherwise in the same bucket, of the same owner, under the same name. */
  copy(
    ctx: Ctx,
    id: string,
    to: { bucket?: string; name?: string; ownerId?: string | null },
    along?: (tx: TxCtx, file: StoredFile) => Promise<void>,
  ): Promise<StoredFile>;
  /** What is known of a file; throws not_found `file`. */
  info(ctx: Ctx, id: string): Promise<StoredFile>;
  /** At most 100 from the first on, by name ascending, unless it is asked for otherwise. */
  list(
    ctx: Ctx,
    bucket: string,
    options?: { ownerId?: string; search?: string; limit?: number; offset?: number },
  ): Promise<StoredFile[]>;
  /** A file's bytes from `start` to `end`, both included; the whole of it without a range. Throws not_found `file`, or UnreadableBytes. */
  read(ctx: Ctx, id: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>>;
  /** A path of this site that opens the file for so many seconds for whoever has it. */
  link(ctx: Ctx, file: Pick<StoredFile, 'id' | 'name'>, seconds: number): string;
  /** Until when such a path's query opens the file; null where it doesn't, or doesn't any more. */
  opensUntil(ctx: Ctx, id: string, query: URLSearchParams): Temporal.Instant | null;
  /** Deletes files, and their bytes once that has committed; ids that aren't there are left out. Throws conflict `file_in_use`. */
  remove(ctx: Ctx, ids: readonly string[]): Promise<void>;
  buckets: {
    list(ctx: Ctx): Promise<Bucket[]>;
    /** Throws not_found `bucket`. */
    get(ctx: Ctx, id: string): Promise<Bucket>;
    create(ctx: Ctx, bucket: Omit<Bucket, 'sealed'>): Promise<void>;
    /** Throws conflict `bucket_needed` where it would open or shut one that the product itself uses. */
    update(ctx: Ctx, id: string, change: Partial<Omit<Bucket, 'id' | 'sealed'>>): Promise<void>;
    /** Deletes all files in it. */
    empty(ctx: Ctx, id: string): Promise<void>;
    /** Throws conflict `bucket_not_empty`, or `bucket_needed` for one that the product itself uses. */
    remove(ctx: Ctx, id: string): Promise<void>;
  };
  /** Deletes the bytes of files whose removal has committed. */
  deleteRemoved(ctx: Ctx): Promise<void>;
  /** Deletes whatever bytes crashes, rollbacks and failing disks have left without a row. */
  sweep(ctx: Ctx): Promise<void>;
  /** Whether something can be written and read back; the answer is some seconds old at most. */
  ready(): Promise<boolean>;
}
