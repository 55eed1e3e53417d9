import { demoPassword } from '#/features/accounts/demo.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
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

export const updates: NamesBy = {
  'account.changed self': ['deletion.request', 'deletion.keep'],
};

export const jobs: NamesBy = {
  'notifications.deletion': ['deletion.request'],
  'personal.erase': ['deletion.request'],
  'providers.deletion-requested': ['deletion.request'],
  'providers.deletion-undone': ['deletion.keep'],
};
