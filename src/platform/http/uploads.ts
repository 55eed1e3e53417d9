import type { Ctx } from '../context.ts';

/** A way to send bytes, which the API's procedures don't take: `POST` of a raw body to its path under `/api`. */
export interface Upload {
  /** Such as `/me/photo`, without parameters; what goes with the bytes stands in the query. */
  path: string;
  /** What it takes at most, in bytes; a longer body is refused unread. */
  maxBytes: number;
  /** Authorises first, then reads the body and answers JSON. Refusals are AppErrors like any procedure's. */
  receive(ctx: Ctx, sent: { query: URLSearchParams; body: ReadableStream<Uint8Array> }): Promise<object>;
}
