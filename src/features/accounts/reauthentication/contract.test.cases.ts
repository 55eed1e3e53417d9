import { demoPassword } from '#/features/accounts/demo.ts';
import type { Cases } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { newClient } = stage;
  return {
    'reauthentication.confirm': async () => {
      const by = await newClient();
      return { by, input: { password: demoPassword }, about: by.id };
    },
  };
}
