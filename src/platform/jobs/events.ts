/** Event payloads (IDs only). Features augment it in their `commands.ts`. */
export interface Events {}

/** `id` is stable across retries, for idempotency. */
export interface EventMeta {
  id: string;
  requestId: string;
}
