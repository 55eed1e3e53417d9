import type { Ctx } from '../context.ts';

/** A raw body upload instead of a procedure: `POST` to its path under `/api`. */
export interface Upload {
  path: string;
  /** In bytes; longer bodies are rejected unread. */
  maxBytes: number;
  /** Authorizes before reading the body. Errors are AppErrors. */
  receive(ctx: Ctx, sent: { query: URLSearchParams; body: ReadableStream<Uint8Array> }): Promise<object>;
}
