import { bind } from '#/platform/http/procedures.ts';
import { open, read, send } from './commands.ts';
import { messagingContract } from './contract.ts';
import { corresponding, memberOf } from './membership/queries.ts';
import { conversationOf, conversationsOf, messagesOf, unreadOf, withPerson } from './queries.ts';
import { draftOf } from './drafts/queries.ts';
import { keepDraft } from './drafts/commands.ts';
import { searchOwn } from './search/queries.ts';

const os = bind(messagingContract);

/** Messaging procedures, with rate limits multiplied by `rateLimitFactor`. */
export function messagingProcedures({ rateLimitFactor }: { rateLimitFactor: number }) {
  return os.router({
    conversations: {
      list: os.conversations.list.handler(async ({ context, input }) =>
        conversationsOf(context, await corresponding(context), input),
      ),
      get: os.conversations.get.handler(async ({ context, input }) =>
        conversationOf(context, await corresponding(context), input.conversationId),
      ),
      unread: os.conversations.unread.handler(async ({ context }) =>
        unreadOf(context, await corresponding(context)),
      ),
      withPerson: os.conversations.withPerson.handler(async ({ context, input }) =>
        withPerson(context, await corresponding(context), input.personId),
      ),
      open: os.conversations.open.handler(({ context, input }) => open(context, input, rateLimitFactor)),
      read: os.conversations.read.handler(({ context, input }) => read(context, input)),
      draft: os.conversations.draft.handler(async ({ context, input }) =>
        draftOf(context, await memberOf(context, input.conversationId)),
      ),
      keepDraft: os.conversations.keepDraft.handler(({ context, input }) => keepDraft(context, input)),
    },
    messages: {
      list: os.messages.list.handler(async ({ context, input }) =>
        messagesOf(context, await memberOf(context, input.conversationId), input),
      ),
      send: os.messages.send.handler(({ context, input }) => send(context, input, rateLimitFactor)),
      search: os.messages.search.handler(async ({ context, input }) =>
        searchOwn(context, await corresponding(context), input),
      ),
    },
  });
}
