import { newId } from '#/platform/clock.ts';
import type { Cases, Refused, FileCases, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function conversationsOn(stage: Stage) {
  const { call, newClient, newProvider } = stage;

  async function conversation() {
    const [who, whom] = [await newClient(), await newProvider()];
    const conversationId = newId();
    await call(who, 'messaging.conversations.open', {
      conversationId,
      withId: whom.id,
      messageId: newId(),
    });
    return { conversationId, client: who, provider: whom };
  }

  return { conversation };
}

export function cases(stage: Stage): Cases {
  const { client, provider, newClient } = stage;
  const { conversation } = conversationsOn(stage);
  return {
    'messaging.conversations.open': async () => {
      const [conversationId, messageId] = [newId(), newId()];
      return {
        by: await newClient(),
        input: { conversationId, withId: provider.id, messageId },
        about: [conversationId, messageId],
      };
    },
    'messaging.conversations.read': async () => {
      const { provider: by, conversationId } = await conversation();
      return { by, input: { conversationId } };
    },
    'messaging.conversations.saveDraft': async () => {
      const { provider: by, conversationId } = await conversation();
      return { by, input: { conversationId } };
    },
    'messaging.messages.search': async () => ({ by: client, input: { words: 'earlier' } }),
    'messaging.messages.send': async () => {
      const { provider: by, conversationId } = await conversation();
      const messageId = newId();
      return { by, input: { conversationId, messageId }, about: messageId };
    },
    'messaging.conversations.get': async () => {
      const { client: by, conversationId } = await conversation();
      return { by, input: { conversationId } };
    },
    'messaging.conversations.draft': async () => {
      const { client: by, conversationId } = await conversation();
      return { by, input: { conversationId } };
    },
    'messaging.messages.list': async () => {
      const { client: by, conversationId } = await conversation();
      return { by, input: { conversationId, before: undefined } };
    },
  };
}

export function uploadCases(stage: Stage): FileCases {
  const { conversation } = conversationsOn(stage);
  return {
    '/conversations/attachments': async () => {
      const { client: by, conversationId } = await conversation();
      return {
        leaves: ['messages.file_uploaded service_management attachment'],
        by,
        query: { conversationId, name: 'letter.pdf' },
      };
    },
  };
}

export const withoutSubject: NamesBy = {
  'what somebody writes or keeps is nobody else’s matter': ['messages.file_uploaded'],
};

/** Empty text without attachments is invalid. */
const text = ['', '   '];

export const refused: Refused = {
  'messaging.conversations.open': { text },
  'messaging.messages.send': { text },
  'messaging.messages.search': {
    next: ['', '1', '~', '-1~x', `x~${newId()}`, `1~${newId()}x`, `1e5~${newId()}`],
  },
};

export const updates: NamesBy = {
  'messages.changed other self': ['messaging.conversations.open', 'messaging.messages.send'],
  'messages.read other self': ['messaging.conversations.read'],
};

export const jobs: NamesBy = {
  'notifications.message': ['messaging.conversations.open', 'messaging.messages.send'],
};
