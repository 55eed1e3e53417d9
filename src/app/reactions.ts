import { availabilityReactions } from '#/features/availability/reactions.ts';
import { feedReactions } from '#/features/appointments/feed/reactions.ts';
import { waitlistReactions } from '#/features/waitlist/reactions.ts';
import { contactReactions } from '#/features/contact/reactions.ts';
import { notificationReactions } from '#/features/notifications/reactions.ts';
import { providersReactions } from '#/features/providers/reactions.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { videoReactions } from '#/features/video/reactions.ts';
import type { Ctx } from '#/platform/context.ts';
import { fileRemoval } from '#/platform/files/removal.ts';
import { mailDeliveries, type Transport } from '#/platform/mail/mail.ts';
import type { Reaction } from '#/platform/jobs/reactions.ts';
import { personalReactions } from './personal.ts';

export interface ReactionParts {
  /** The public URL without a trailing slash. */
  appUrl: string;
  /** Null keeps emails in the tray. */
  transport: Transport | null;
}

/** Returns every feature's reactions; without a mail server, written emails trigger nothing. */
export function reactionsOf({ appUrl, transport }: ReactionParts): readonly Reaction[] {
  return [
    ...notificationReactions({ appUrl }),
    ...contactReactions({ appUrl }),
    ...providersReactions,
    ...availabilityReactions,
    ...waitlistReactions,
    ...feedReactions,
    ...videoReactions,
    ...personalReactions,
    fileRemoval(),
    ...(transport ? mailDeliveries(transport, siteName) : []),
  ];
}

async function siteName(ctx: Ctx): Promise<string> {
  return (await siteSettings(ctx)).site_name;
}

/** Queues created at migration, independent of configuration. */
export const reactions: readonly Pick<Reaction, 'event' | 'name'>[] = reactionsOf({
  appUrl: '',
  transport: () => Promise.resolve(),
});
