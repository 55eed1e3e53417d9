/** Every event and its payload (ids only); each feature that emits adds its own in `commands.ts`. */
export interface Events {}

/** What a reaction is told beside the payload. `id` is the same on every retry: use it to act once. */
export interface EventMeta {
  id: string;
  requestId: string;
}
