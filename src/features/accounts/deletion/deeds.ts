import { demoPassword } from '#/features/accounts/demo.ts';
import type { Deeds, Told } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { call, newClient } = stage;
  return {
    'deletion.request': async () => {
      const by = await newClient();
      return { by, input: { password: demoPassword }, about: by.id };
    },
    'deletion.keep': async () => {
      const by = await newClient();
      await call(by, 'deletion.request', { password: demoPassword });
      return { by, about: by.id };
    },
  };
}

export const tells: Told = {
  'account.changed self': ['deletion.request', 'deletion.keep'],
};

export const starts: Told = {
  'notifications.deletion': ['deletion.request'],
  'personal.erase': ['deletion.request'],
  'providers.deletion-requested': ['deletion.request'],
  'providers.deletion-undone': ['deletion.keep'],
};
