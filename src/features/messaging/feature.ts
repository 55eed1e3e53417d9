import { z } from 'zod';
import { uuid } from '#/features/access/contract.ts';
import { authorize } from '#/features/access/rules.ts';
import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import type { Channel } from '#/platform/realtime/channels.ts';
import { frame } from '#/platform/realtime/frames.ts';
import { deleteUnsentUploads, uploadAttachment } from './uploads/commands.ts';
import { maxAttachmentBytes } from './rules.ts';
import { messagingPersonal, attachmentsPersonal, emergencyPersonal } from './personal.ts';
import { sealedName } from './attachments/queries.ts';
import { open, read, send } from './commands.ts';
import { messagingContract } from './contract.ts';
import { saveDraft } from './drafts/commands.ts';
import { conversationsOf, messagesOf, sealed, unreadOf, draftOf } from './queries.ts';
import { closeEmergency, openInEmergency } from './emergency/commands.ts';
import { emergencyContract } from './emergency/contract.ts';
import { currentAccess, sealedReason, openingsOf } from './emergency/queries.ts';
import { requireMember, requireMessaging } from './membership/policies.ts';
import { requireConversation, requireCorrespondent } from './policies.ts';
import { searchOwn } from './search/queries.ts';

const emergency = handle(emergencyContract, {
  open: openInEmergency,
  current: async (ctx) => ({ opened: await currentAccess(ctx) }),
  close: (ctx, input) => closeEmergency(ctx, input.accessId),
  openings: async (ctx, input) => openingsOf(ctx, await requireMember(ctx, input.conversationId)),
});

/** Notifies the counterpart. Nothing is stored. */
const typing = frame({
  type: 'messages.typing',
  schema: z.object({ conversationId: uuid }),
  async handle(ctx, { conversationId }, connection) {
    authorize(ctx.actor, ['send_messages']);
    const { otherId } = await requireMember(ctx, conversationId);
    connection.tell([`person:${otherId}`], { type: 'messages.typing', id: conversationId });
  },
});

const conversation: Channel = {
  name: 'conversation',
  idField: 'conversationId',
  events: { typing: typing.type },
  async authorize(ctx, id) {
    authorize(ctx.actor, ['send_messages']);
    await requireMember(ctx, id);
  },
};

export const messaging = defineFeature({
  handlers: ({ rateLimitFactor }: { rateLimitFactor: number }) => ({
    messaging: handle(messagingContract, {
      conversations: {
        list: async (ctx, input) => conversationsOf(ctx, await requireMessaging(ctx), input),
        get: async (ctx, input) =>
          requireConversation(ctx, await requireMessaging(ctx), input.conversationId),
        unread: async (ctx) => unreadOf(ctx, await requireMessaging(ctx)),
        withPerson: async (ctx, input) =>
          requireCorrespondent(ctx, await requireMessaging(ctx), input.personId),
        open: (ctx, input) => open(ctx, input, rateLimitFactor),
        read,
        draft: async (ctx, input) => draftOf(ctx, await requireMember(ctx, input.conversationId)),
        saveDraft: saveDraft,
      },
      messages: {
        list: async (ctx, input) => messagesOf(ctx, await requireMember(ctx, input.conversationId), input),
        send: (ctx, input) => send(ctx, input, rateLimitFactor),
        search: async (ctx, input) => searchOwn(ctx, await requireMessaging(ctx), input),
      },
    }),
    emergency,
  }),
  uploads: [{ path: '/conversations/attachments', maxBytes: maxAttachmentBytes, receive: uploadAttachment }],
  frames: [typing],
  channels: [conversation],
  personal: [emergencyPersonal, attachmentsPersonal, messagingPersonal],
  tidy: [deleteUnsentUploads],
  sealed: [...Object.values(sealed), sealedName, sealedReason],
});
