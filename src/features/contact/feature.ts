import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import {
  annotate,
  answer,
  close,
  issueForm,
  lookThroughInbox,
  openMessage,
  reopen,
  send,
  takeBack,
} from './commands.ts';
import { contactContract } from './contract.ts';
import { contactPersonal } from './personal.ts';
import { sealed } from './queries.ts';
import { contactReactions } from './reactions.ts';

const os = bind(contactContract);

export const contact = defineFeature({
  handlers: ({ rateLimitFactor }: { rateLimitFactor: number }) => ({
    contact: os.router({
      form: os.form.handler(({ context }) => issueForm(context)),
      send: os.send.handler(({ context, input }) => send(context, input, rateLimitFactor)),
      inbox: os.inbox.handler(({ context, input }) => lookThroughInbox(context, input)),
      get: os.get.handler(({ context, input }) => openMessage(context, input.messageId)),
      answer: os.answer.handler(({ context, input }) => answer(context, input)),
      takeBack: os.takeBack.handler(({ context, input }) => takeBack(context, input.answerId)),
      close: os.close.handler(({ context, input }) => close(context, input.messageId)),
      reopen: os.reopen.handler(({ context, input }) => reopen(context, input.messageId)),
      annotate: os.annotate.handler(({ context, input }) => annotate(context, input.messageId, input.note)),
    }),
  }),
  reactions: contactReactions,
  personal: [contactPersonal],
  sealed: Object.values(sealed),
});
