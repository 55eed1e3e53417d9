import type { Reaction } from '#/platform/jobs/events.ts';

/** Every reaction of every feature; each has its own queue, made at migration. */
export const reactions: readonly Reaction[] = [];
