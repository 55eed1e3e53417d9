import { demoPassword } from '#/features/accounts/demo.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases({ call, newClient }: Stage): Cases {
  const fresh = async () => {
    const by = await newClient();
    await call(by, 'reauthentication.confirm', { password: demoPassword });
    return by;
  };
  return {
    'words.unlock': async () => {
      const by = await newClient();
      return { by, input: { password: demoPassword }, about: by.id };
    },
    'words.renewRecoveryKey': async () => {
      const by = await fresh();
      return { by, input: { confirmed: true }, about: by.id };
    },
    'words.startOver': async () => {
      const by = await fresh();
      return { by, input: { confirmed: true }, about: by.id };
    },
  };
}

export const jobs: NamesBy = {
  'notifications.secured': ['words.renewRecoveryKey', 'words.startOver'],
};
