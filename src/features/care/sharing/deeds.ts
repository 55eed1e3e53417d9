import type { Deeds } from '../../../../tests/support/deeds.ts';
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
