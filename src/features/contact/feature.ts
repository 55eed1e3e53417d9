import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import {
  annotate,
  answer,
  close,
  issueForm,
  viewInbox,
  openMessage,
  reopen,
  send,
  undoAnswer,
} from './commands.ts';
import { contactContract } from './contract.ts';
import { contactPersonal } from './personal.ts';
import { sealed } from './queries.ts';
import { contactReactions } from './reactions.ts';

export const contact = defineFeature({
  handlers: ({ rateLimitFactor }: { rateLimitFactor: number }) => ({
    contact: handle(contactContract, {
      form: issueForm,
      send: (ctx, input) => send(ctx, input, rateLimitFactor),
      inbox: viewInbox,
      get: (ctx, input) => openMessage(ctx, input.messageId),
      answer,
      undoAnswer: (ctx, input) => undoAnswer(ctx, input.answerId),
      close: (ctx, input) => close(ctx, input.messageId),
      reopen: (ctx, input) => reopen(ctx, input.messageId),
      annotate,
    }),
  }),
  reactions: contactReactions,
  personal: [contactPersonal],
  sealed: Object.values(sealed),
});
