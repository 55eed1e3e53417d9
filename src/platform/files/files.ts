import { Outage } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '../context.ts';

declare module '../context.ts' {
  interface Ctx {
    files: Files;
  }
}

/** A file category with its limits. Base data: `photos`, `resources`, `documents`, `exports` and `attachments`. */
export interface Bucket {
  id: string;
  /** Signed links work for both kinds. */
  readableBy: 'everyone' | 'owner';
  maxBytes: number;
  contentTypes: readonly string[];
  /**
   * Encrypts each file at rest with its own key. Encrypted files have no URL; only the feature that owns them serves
   * them.
   */
  sealed: boolean;
}

export interface StoredFile {
  id: string;
  bucket: string;
  /** Null: owned by the site. */
  ownerId: string | null;
  name: string;
  contentType: string;
  size: number;
  /** Changes with the content. */
  version: string;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
}

export interface OpenLink {
  personId: string;
  made: Temporal.Instant;
  until: Temporal.Instant;
}

/** Storage lost, changed or can't reach them. */
export class UnreadableBytes extends Outage {
  constructor(message: string, { cause }: { cause?: unknown } = {}) {
    super('unavailable', 'file_unreadable');
    this.name = 'UnreadableBytes';
    this.message = message;
    this.cause = cause;
  }
}

export type Bytes = Uint8Array | ReadableStream<Uint8Array>;

/**
 * File storage: metadata in the database, bytes on a disk (local folder or S3). Validates content; authorization is up
 * to callers. Inside a transaction, rows commit with it.
 */
export interface Files {
  /**
   * Stores a new file. Throws invalid `file_empty`, `file_too_large` or `file_type` (field `file`). Call outside a
   * transaction for streamed bodies, which would keep it open. `along` writes related rows with the file's row; if it
   * throws, the file isn't stored.
   */
  upload(
    ctx: Ctx,
    file: { bucket: string; ownerId: string | null; name: string; body: Bytes },
    along?: (tx: TxCtx, file: StoredFile) => Promise<void>,
  ): Promise<StoredFile>;
  /** Replaces a file's content under the same ID. */
  update(
    ctx: Ctx,
    id: string,
    body: Bytes,
    along?: (tx: TxCtx, file: StoredFile) => Promise<void>,
  ): Promise<StoredFile>;
  /** Renames a file or moves it to another bucket. Encrypted and unencrypted buckets don't mix. */
  move(ctx: Ctx, id: string, to: { bucket?: string; name?: string }): Promise<StoredFile>;
  copy(
    ctx: Ctx,
    id: string,
    to: { bucket?: string; name?: string; ownerId?: string | null },
    along?: (tx: TxCtx, file: StoredFile) => Promise<void>,
  ): Promise<StoredFile>;
  /** Throws not_found `file`. */
  info(ctx: Ctx, id: string): Promise<StoredFile>;
  /** Lists files by name, ascending; 100 by default. */
  list(
    ctx: Ctx,
    bucket: string,
    options?: { ownerId?: string; search?: string; limit?: number; offset?: number },
  ): Promise<StoredFile[]>;
  /** Reads a file, or a range including both ends. Throws not_found `file`, or UnreadableBytes. */
  read(ctx: Ctx, id: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>>;
  /** Signs a path that anyone can open for `seconds`, unless the actor's links end. */
  link(ctx: Ctx, file: Pick<StoredFile, 'id' | 'name'>, seconds: number): string;
  openLinkOf(ctx: Ctx, id: string, query: URLSearchParams): OpenLink | null;
  /** Deletes files, and their bytes after commit; ignores unknown IDs. Throws conflict `file_in_use`. */
  remove(ctx: Ctx, ids: readonly string[]): Promise<void>;
  buckets: {
    list(ctx: Ctx): Promise<Bucket[]>;
    /** Throws not_found `bucket`. */
    get(ctx: Ctx, id: string): Promise<Bucket>;
    create(ctx: Ctx, bucket: Omit<Bucket, 'sealed'>): Promise<void>;
    /** Throws conflict `bucket_needed` when changing a built-in bucket's visibility. */
    update(ctx: Ctx, id: string, change: Partial<Omit<Bucket, 'id' | 'sealed'>>): Promise<void>;
    empty(ctx: Ctx, id: string): Promise<void>;
    /** Throws conflict `bucket_not_empty`, or `bucket_needed` for built-in ones. */
    remove(ctx: Ctx, id: string): Promise<void>;
  };
  deleteRemoved(ctx: Ctx): Promise<void>;
  /** Deletes bytes left by crashes and rollbacks. */
  sweep(ctx: Ctx): Promise<void>;
  /** The result may be a few seconds old. */
  ready(): Promise<boolean>;
}
