import type { ReactionParts } from '#/platform/feature.ts';
import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { mailDeliveries } from '#/platform/mail/mail.ts';
import { mailAdded, mailApplicationDecision } from './application/commands.ts';
import { mailApproval } from './approval/commands.ts';
import { mailCaller } from './caller/commands.ts';
import { mailCredentialDecision } from './credential/commands.ts';
import { mailEmergency } from './emergency/commands.ts';
import { mailGuestAnswer, mailGuestWithdrawn, mailInvitation } from './guest/commands.ts';
import {
  mailAccountExists,
  mailLock,
  mailPasswordReset,
  mailSecured,
  mailSignInLink,
  mailSignUp,
  mailVerification,
  mailWelcome,
} from './identity/commands.ts';
import { mailLicenceEnd } from './licence/commands.ts';
import { mailUnread } from './message/commands.ts';
import { mailOffer } from './offer/commands.ts';
import { mailReplyDecision } from './reply/commands.ts';
import { mailDecision } from './review/commands.ts';
import { mailDeletion, mailExportReady } from './privacy/commands.ts';
import { mailPrayed, mailPrayerAsked } from './prayer/commands.ts';
import { mailsNotifications, senderName } from './queries.ts';
import { mailRequest } from './request/commands.ts';
import { mailResourceDecision } from './resource/commands.ts';
import { isNotification } from './rules.ts';
import { mailBooking, mailChange, mailReminder, mailSeriesChange, mailSettled } from './session/commands.ts';

/** Reactions that write emails, and those that deliver them if there is a mail server. */
export function notificationReactions({ appUrl, transport }: ReactionParts): readonly Reaction[] {
  return [
    ...mails(appUrl).map((mail) => (isNotification(mail.name) ? whileSent(mail) : mail)),
    ...(transport ? mailDeliveries(transport, senderName) : []),
  ];
}

/** Skips a reaction while the site's notifications are off. */
function whileSent({ handle, ...mail }: Reaction): Reaction {
  return {
    ...mail,
    handle: async (ctx, payload, meta) => {
      if (await mailsNotifications(ctx)) await handle(ctx, payload, meta);
    },
  };
}

function mails(appUrl: string): readonly Reaction[] {
  return [
    reaction({
      event: 'booking.booked',
      name: 'notifications.booked',
      handle: async (ctx, { bookingId, by }, { id }) => {
        // Sessions an administrator reassigned are covered by `mailSettled`.
        if (by !== 'administrator') await mailBooking(ctx, { bookingId, by }, { eventId: id, appUrl });
      },
    }),
    reaction({
      event: 'booking.requested',
      name: 'notifications.requested',
      handle: (ctx, { requestId }) => mailRequest(ctx, requestId, appUrl),
    }),
    reaction({
      event: 'booking.changed',
      name: 'notifications.changed',
      handle: async (ctx, { appointmentId, change, by, settled }, { id }) => {
        if (settled) return;
        // Outcomes after a session appear in both accounts at once.
        if (change === 'completed' || change === 'no_show') return;
        await mailChange(ctx, { appointmentId, change, by }, { eventId: id, appUrl });
      },
    }),
    reaction({
      event: 'booking.series_changed',
      name: 'notifications.series-changed',
      handle: (ctx, changed, { id }) => mailSeriesChange(ctx, changed, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'booking.settled',
      name: 'notifications.settled',
      handle: (ctx, settled, { id }) => mailSettled(ctx, settled, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'booking.reminder_due',
      name: 'notifications.reminder',
      handle: (ctx, { reminderId }) => mailReminder(ctx, reminderId, appUrl),
    }),
    reaction({
      event: 'booking.guest_invited',
      name: 'notifications.guest-invited',
      handle: (ctx, invited) => mailInvitation(ctx, invited, appUrl),
    }),
    reaction({
      event: 'booking.guest_answered',
      name: 'notifications.guest-answered',
      handle: (ctx, answered, { id }) => mailGuestAnswer(ctx, answered, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'booking.guest_withdrawn',
      name: 'notifications.guest-withdrawn',
      handle: (ctx, withdrawn, { id }) => mailGuestWithdrawn(ctx, withdrawn, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'care.client_invited',
      name: 'notifications.client-invited',
      handle: (ctx, invited) => mailCaller(ctx, invited, appUrl),
    }),
    reaction({
      event: 'waitlist.offered',
      name: 'notifications.offer',
      handle: (ctx, { offerId }) => mailOffer(ctx, offerId, appUrl),
    }),
    reaction({
      event: 'messages.sent',
      name: 'notifications.message',
      handle: (ctx, { messageId }, { id }) => mailUnread(ctx, messageId, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'messages.emergency_opened',
      name: 'notifications.emergency',
      handle: (ctx, { accessId }, { id }) => mailEmergency(ctx, accessId, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'reviews.decided',
      name: 'notifications.review',
      handle: (ctx, { reviewId }) => mailDecision(ctx, reviewId, appUrl),
    }),
    reaction({
      event: 'reviews.reply_decided',
      name: 'notifications.review-reply',
      handle: (ctx, decided, { id }) => mailReplyDecision(ctx, decided, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'resources.decided',
      name: 'notifications.resource',
      handle: (ctx, payload, { id }) => mailResourceDecision(ctx, payload, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'providers.credential_decided',
      name: 'notifications.credential',
      handle: (ctx, { credentialId }, { id }) =>
        mailCredentialDecision(ctx, credentialId, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'providers.application_decided',
      name: 'notifications.application',
      handle: (ctx, { applicationId }, { id }) =>
        mailApplicationDecision(ctx, applicationId, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'providers.approval_changed',
      name: 'notifications.approval',
      handle: (ctx, changed, { id }) => mailApproval(ctx, changed, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'providers.added',
      name: 'notifications.added',
      handle: (ctx, added, { id }) => mailAdded(ctx, added, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'providers.licence_ending',
      name: 'notifications.licence-ending',
      handle: (ctx, end, { id }) => mailLicenceEnd(ctx, { ...end, ended: false }, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'providers.licence_ended',
      name: 'notifications.licence-ended',
      handle: (ctx, end, { id }) => mailLicenceEnd(ctx, { ...end, ended: true }, { eventId: id, appUrl }),
    }),
    reaction({
      event: 'growth.prayer_asked',
      name: 'notifications.prayer-asked',
      handle: (ctx, { requestId }) => mailPrayerAsked(ctx, requestId, appUrl),
    }),
    reaction({
      event: 'growth.prayed',
      name: 'notifications.prayed',
      handle: (ctx, { answerId }) => mailPrayed(ctx, answerId, appUrl),
    }),
    reaction({
      event: 'accounts.sign_up_requested',
      name: 'notifications.sign-up',
      handle: (ctx, { signUpId, next }, { id }) => mailSignUp(ctx, { signUpId, next, eventId: id, appUrl }),
    }),
    reaction({
      event: 'accounts.verification_requested',
      name: 'notifications.verification',
      handle: (ctx, { userId, next }, { id }) => mailVerification(ctx, { userId, next, eventId: id, appUrl }),
    }),
    reaction({
      event: 'accounts.password_reset_requested',
      name: 'notifications.password-reset',
      handle: (ctx, { userId, next }, { id }) =>
        mailPasswordReset(ctx, { userId, next, eventId: id, appUrl }),
    }),
    reaction({
      event: 'accounts.sign_in_link_requested',
      name: 'notifications.sign-in-link',
      handle: (ctx, { userId }, { id }) => mailSignInLink(ctx, { userId, eventId: id, appUrl }),
    }),
    reaction({
      event: 'accounts.exists_notice',
      name: 'notifications.account-exists',
      handle: (ctx, { userId, next }, { id }) =>
        mailAccountExists(ctx, { userId, next, eventId: id, appUrl }),
    }),
    reaction({
      event: 'accounts.welcomed',
      name: 'notifications.welcome',
      handle: (ctx, { userId }, { id }) => mailWelcome(ctx, { userId, eventId: id, appUrl }),
    }),
    reaction({
      event: 'accounts.sign_in_locked',
      name: 'notifications.sign-in-locked',
      handle: (ctx, { userId }, { id }) => mailLock(ctx, { userId, eventId: id, appUrl }),
    }),
    reaction({
      event: 'accounts.secured',
      name: 'notifications.secured',
      handle: (ctx, secured, { id }) => mailSecured(ctx, { ...secured, eventId: id, appUrl }),
    }),
    reaction({
      event: 'accounts.export_ready',
      name: 'notifications.export-ready',
      handle: (ctx, { userId }, { id }) => mailExportReady(ctx, { userId, eventId: id, appUrl }),
    }),
    reaction({
      event: 'accounts.deletion_requested',
      name: 'notifications.deletion',
      handle: (ctx, { userId }, { id }) => mailDeletion(ctx, { userId, eventId: id, appUrl }),
    }),
  ];
}
