import { demoPassword } from '#/features/accounts/demo.ts';
import { conversationsOn } from '#/features/messaging/deeds.ts';
import { emergencyPhrase } from '#/features/messaging/emergency/rules.ts';
import type { Deeds, Told } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { db, admin, call } = stage;
  const { conversation } = conversationsOn(stage);

  const emergency = async () => {
    const { client: first, provider: second, conversationId } = await conversation();
    const input = {
      firstEmail: first.email,
      secondEmail: second.email,
      confirmation: emergencyPhrase,
      password: demoPassword,
    };
    return { input, conversationId };
  };

  return {
    'emergency.open': async () => {
      const { input, conversationId } = await emergency();
      return { by: admin, input, about: conversationId };
    },
    'emergency.close': async () => {
      const { input, conversationId } = await emergency();
      await call(admin, 'emergency.open', input);
      const { id: accessId } = await db
        .selectFrom('emergency_accesses')
        .select('id')
        .where('conversation_id', '=', conversationId)
        .executeTakeFirstOrThrow();
      return { by: admin, input: { accessId }, about: conversationId };
    },
    'emergency.told': async () => {
      const { client: by, conversationId } = await conversation();
      return { by, input: { conversationId } };
    },
  };
}

export const tells: Told = {
  'messages.emergency other': ['emergency.open'],
};

export const starts: Told = {
  'notifications.emergency': ['emergency.open'],
};
