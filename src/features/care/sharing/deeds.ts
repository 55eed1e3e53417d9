import type { Deeds, Told } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { client, provider, session } = stage;
  return {
    'care.sharing.set': async () => {
      await session(-5, 'completed');
      return { by: client, input: { providerId: provider.id }, about: client.id };
    },
  };
}

export const tells: Told = {
  'care.sharing_changed other self': ['care.sharing.set'],
};
