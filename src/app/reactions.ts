import type { Reaction } from '#/platform/jobs/reactions.ts';

/** Every reaction of every feature; each has its own queue, made at migration. */
export const reactions: readonly Reaction[] = [];
