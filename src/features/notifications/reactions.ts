import type { ReactionParts } from '#/platform/feature.ts';
import type { Reaction } from '#/platform/jobs/reactions.ts';
import { mailDeliveries } from '#/platform/mail/mail.ts';
import { accountNotifications } from './letters/accounts.ts';
import { applicationNotifications } from './letters/applications.ts';
import { bookingRequestNotifications } from './letters/booking-requests.ts';
import { clientInvitationNotifications } from './letters/client-invitations.ts';
import { credentialNotifications } from './letters/credentials.ts';
import { guestNotifications } from './letters/guests.ts';
import { handoverNotifications } from './letters/handovers.ts';
import { messageNotifications } from './letters/messages.ts';
import { prayerNotifications } from './letters/prayers.ts';
import { resourceNotifications } from './letters/resources.ts';
import { reviewNotifications } from './letters/reviews.ts';
import { sessionNotifications } from './letters/sessions.ts';
import { waitlistNotifications } from './letters/waitlist.ts';
import { reactionTo } from './notification.ts';
import { senderName } from './queries.ts';

/** Which event sends which letter to whom. */
const table = [
  ...sessionNotifications,
  ...handoverNotifications,
  ...bookingRequestNotifications,
  ...guestNotifications,
  ...clientInvitationNotifications,
  ...waitlistNotifications,
  ...messageNotifications,
  ...reviewNotifications,
  ...resourceNotifications,
  ...credentialNotifications,
  ...applicationNotifications,
  ...prayerNotifications,
  ...accountNotifications,
];

/** Reactions that write emails, and those that deliver them if there is a mail server. */
export function notificationReactions({ appUrl, transport }: ReactionParts): readonly Reaction[] {
  return [
    ...table.map((row) => reactionTo(row, appUrl)),
    ...(transport ? mailDeliveries(transport, senderName) : []),
  ];
}
