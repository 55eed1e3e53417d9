import { demoPassword } from '#/features/accounts/demo.ts';
import { conversationsOn } from '#/features/messaging/contract.test.cases.ts';
import { emergencyPhrase } from '../rules.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { admin, call } = stage;
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
      // Closing ends all of the session's.
      const { opened: earlier } = await call<{ opened: { id: string } | null }>(admin, 'emergency.current');
      if (earlier) await call(admin, 'emergency.close', { accessId: earlier.id });
      const { id: accessId } = await call(admin, 'emergency.open', input);
      return { by: admin, input: { accessId }, about: conversationId };
    },
    'emergency.openings': async () => {
      const { client: by, conversationId } = await conversation();
      return { by, input: { conversationId } };
    },
  };
}

export const updates: NamesBy = {
  'messages.emergency other': ['emergency.open'],
};

export const jobs: NamesBy = {
  'notifications.emergency': ['emergency.open'],
};
