import { defineFeature } from '#/platform/feature.ts';
import { bind, handle } from '#/platform/http/bind.ts';
import { mailTrayContract, unsubscribeContract, undeliveredContract } from './contract.ts';
import { accountNotifications } from './letters/accounts.ts';
import { applicationNotifications } from './letters/applications.ts';
import { bookingRequestNotifications } from './letters/booking-requests.ts';
import { clientInvitationNotifications } from './letters/client-invitations.ts';
import { credentialNotifications } from './letters/credentials.ts';
import { guestNotifications } from './letters/guests.ts';
import { handoverNotifications } from './letters/handovers.ts';
import { messageNotifications } from './letters/messages.ts';
import { channels, reactionTo } from './letters/notification.ts';
import { prayerNotifications } from './letters/prayers.ts';
import { resourceNotifications } from './letters/resources.ts';
import { reviewNotifications } from './letters/reviews.ts';
import { sessionNotifications } from './letters/sessions.ts';
import { waitlistNotifications } from './letters/waitlist.ts';
import { deleteOldDailyMails, mailMornings } from './mornings/commands.ts';
import { notificationsPersonal } from './personal.ts';
import { requireMailTray, requireTrayMail } from './policies.ts';
import { trayMails } from './queries.ts';
import { dismiss, sendAgain, sendAllAgain } from './undelivered/commands.ts';
import { undeliveredMails } from './undelivered/queries.ts';
import { mailChoice, setMailChoice } from './unsubscribe/commands.ts';

function mailTray(isOpen: boolean) {
  const tray = bind(mailTrayContract).use(({ next }) => {
    requireMailTray(isOpen);
    return next();
  });
  return tray.router({
    list: tray.list.handler(({ context, input }) => trayMails(context, input.limit)),
    get: tray.get.handler(({ context, input }) => requireTrayMail(context, input.id)),
  });
}

const undelivered = handle(undeliveredContract, {
  list: undeliveredMails,
  sendAgain: (ctx, input) => sendAgain(ctx, input.mailId),
  sendAllAgain,
  dismiss: (ctx, input) => dismiss(ctx, input.mailId),
});

interface NotificationsConfig {
  /** In demo mode without a mail server only. */
  mailTray: boolean;
  authSecret: string;
}

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

export const notifications = defineFeature({
  handlers: ({ authSecret, ...config }: NotificationsConfig) => ({
    mailTray: mailTray(config.mailTray),
    mailChoice: handle(unsubscribeContract, {
      get: (ctx, input) => mailChoice(ctx, authSecret, input.token),
      set: (ctx, input) => setMailChoice(ctx, authSecret, input),
    }),
    undelivered,
  }),
  reactions: (parts) => [
    ...table.map((row) => reactionTo(row, parts.appUrl)),
    ...channels.flatMap((channel) => channel.reactions(parts)),
  ],
  schedules: ({ appUrl, authSecret: secret }) => [
    { name: 'mornings', every: { minutes: 1 }, run: (ctx) => mailMornings(ctx, { appUrl, secret }) },
  ],
  personal: [notificationsPersonal],
  tidy: [deleteOldDailyMails],
});
