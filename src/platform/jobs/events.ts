/** Every event and its payload (ids only); each feature that emits adds its own in `commands.ts`. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by declaration merging
export interface Events {}

/** What a reaction is told beside the payload. `id` is the same on every retry: use it to act once. */
export interface EventMeta {
  id: string;
  requestId: string;
}
