import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { client, provider, session } = stage;
  return {
    'care.sharing.set': async () => {
      await session(-5, 'completed');
      return { by: client, input: { providerId: provider.id }, about: client.id };
    },
  };
}

export const updates: NamesBy = {
  'care.sharing_changed other self': ['care.sharing.set'],
};
