import { standInParts, type ReactionParts } from '#/platform/feature.ts';
import { fileRemoval } from '#/platform/files/removal.ts';
import type { Reaction } from '#/platform/jobs/reactions.ts';
import { features } from './features.ts';
import { personalReactions } from './personal.ts';

/** Returns every feature's reactions; without a mail server, written emails trigger nothing. */
export function reactionsOf(parts: ReactionParts): readonly Reaction[] {
  return [...features.flatMap(({ reactions }) => reactions(parts)), ...personalReactions, fileRemoval()];
}

/** Queues created at migration, independent of configuration. */
export const reactions: readonly Pick<Reaction, 'event' | 'name'>[] = reactionsOf(standInParts);
