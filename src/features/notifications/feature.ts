import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { mailTrayContract } from './contract.ts';
import { forgetDailyMails, mailMornings } from './mornings/commands.ts';
import { notificationsPersonal } from './personal.ts';
import { requireMailTray, requireTrayMail } from './policies.ts';
import { trayMails } from './queries.ts';
import { notificationReactions } from './reactions.ts';
import { dismiss, sendAgain, sendAllAgain } from './undelivered/commands.ts';
import { undeliveredContract } from './undelivered/contract.ts';
import { undeliveredMails } from './undelivered/queries.ts';
import { mailChoice, setMailChoice } from './unsubscribe/commands.ts';
import { unsubscribeContract } from './unsubscribe/contract.ts';

const os = bind({ mailChoice: unsubscribeContract, undelivered: undeliveredContract });

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

const undelivered = os.undelivered.router({
  list: os.undelivered.list.handler(({ context, input }) => undeliveredMails(context, input)),
  sendAgain: os.undelivered.sendAgain.handler(({ context, input }) => sendAgain(context, input.mailId)),
  sendAllAgain: os.undelivered.sendAllAgain.handler(({ context }) => sendAllAgain(context)),
  dismiss: os.undelivered.dismiss.handler(({ context, input }) => dismiss(context, input.mailId)),
});

interface NotificationsConfig {
  /** In demo mode without a mail server only. */
  mailTray: boolean;
  authSecret: string;
}

export const notifications = defineFeature({
  handlers: ({ authSecret, ...config }: NotificationsConfig) => ({
    mailTray: mailTray(config.mailTray),
    mailChoice: os.mailChoice.router({
      get: os.mailChoice.get.handler(({ context, input }) => mailChoice(context, authSecret, input.token)),
      set: os.mailChoice.set.handler(({ context, input }) => setMailChoice(context, authSecret, input)),
    }),
    undelivered,
  }),
  reactions: notificationReactions,
  schedules: ({ appUrl, authSecret: secret }) => [
    { name: 'mornings', every: { minutes: 1 }, run: (ctx) => mailMornings(ctx, { appUrl, secret }) },
  ],
  personal: [notificationsPersonal],
  tidy: [forgetDailyMails],
});
