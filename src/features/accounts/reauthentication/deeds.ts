import { demoPassword } from '#/features/accounts/demo.ts';
import type { Deeds } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { newClient } = stage;
  return {
    'reauthentication.confirm': async () => {
      const by = await newClient();
      return { by, input: { password: demoPassword }, about: by.id };
    },
  };
}
