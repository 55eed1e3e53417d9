import { z } from 'zod';
import { authorise } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { frame } from '#/platform/realtime/frames.ts';
import { forgetUnsent, uploadAttachment } from './uploads/commands.ts';
import { largestAttachment } from './rules.ts';
import { messagingPersonal, attachmentsPersonal, emergencyPersonal } from './personal.ts';
import { sealedName } from './attachments/queries.ts';
import { open, read, send } from './commands.ts';
import { messagingContract } from './contract.ts';
import { keepDraft } from './drafts/commands.ts';
import { conversationsOf, messagesOf, sealed, unreadOf, draftOf } from './queries.ts';
import { closeEmergency, openInEmergency } from './emergency/commands.ts';
import { emergencyContract } from './emergency/contract.ts';
import { openedNow, sealedReason, toldOf } from './emergency/queries.ts';
import { requireMember, requireMessaging } from './membership/policies.ts';
import { requireConversation, requireCorrespondent } from './policies.ts';
import { searchOwn } from './search/queries.ts';

const os = bind({ messaging: messagingContract, emergency: emergencyContract });

const emergency = os.emergency.router({
  open: os.emergency.open.handler(({ context, input }) => openInEmergency(context, input)),
  current: os.emergency.current.handler(async ({ context }) => ({ opened: await openedNow(context) })),
  close: os.emergency.close.handler(({ context, input }) => closeEmergency(context, input.accessId)),
  told: os.emergency.told.handler(async ({ context, input }) =>
    toldOf(context, await requireMember(context, input.conversationId)),
  ),
});

/** Tells the counterpart. Nothing is stored. */
const typing = frame({
  type: 'messages.typing',
  schema: z.object({ conversationId: z.uuid() }),
  async handle(ctx, { conversationId }, connection) {
    authorise(ctx.actor, ['send_messages']);
    const { otherId } = await requireMember(ctx, conversationId);
    connection.tell([`person:${otherId}`], { type: 'messages.typing', id: conversationId });
  },
});

export const messaging = defineFeature({
  handlers: ({ rateLimitFactor }: { rateLimitFactor: number }) => ({
    messaging: os.messaging.router({
      conversations: {
        list: os.messaging.conversations.list.handler(async ({ context, input }) =>
          conversationsOf(context, await requireMessaging(context), input),
        ),
        get: os.messaging.conversations.get.handler(async ({ context, input }) =>
          requireConversation(context, await requireMessaging(context), input.conversationId),
        ),
        unread: os.messaging.conversations.unread.handler(async ({ context }) =>
          unreadOf(context, await requireMessaging(context)),
        ),
        withPerson: os.messaging.conversations.withPerson.handler(async ({ context, input }) =>
          requireCorrespondent(context, await requireMessaging(context), input.personId),
        ),
        open: os.messaging.conversations.open.handler(({ context, input }) =>
          open(context, input, rateLimitFactor),
        ),
        read: os.messaging.conversations.read.handler(({ context, input }) => read(context, input)),
        draft: os.messaging.conversations.draft.handler(async ({ context, input }) =>
          draftOf(context, await requireMember(context, input.conversationId)),
        ),
        keepDraft: os.messaging.conversations.keepDraft.handler(({ context, input }) =>
          keepDraft(context, input),
        ),
      },
      messages: {
        list: os.messaging.messages.list.handler(async ({ context, input }) =>
          messagesOf(context, await requireMember(context, input.conversationId), input),
        ),
        send: os.messaging.messages.send.handler(({ context, input }) =>
          send(context, input, rateLimitFactor),
        ),
        search: os.messaging.messages.search.handler(async ({ context, input }) =>
          searchOwn(context, await requireMessaging(context), input),
        ),
      },
    }),
    emergency,
  }),
  uploads: [{ path: '/conversations/attachments', maxBytes: largestAttachment, receive: uploadAttachment }],
  frames: [typing],
  personal: [emergencyPersonal, attachmentsPersonal, messagingPersonal],
  tidy: [forgetUnsent],
  sealed: [...Object.values(sealed), sealedName, sealedReason],
});
