import type { Deeds } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { cast, provider } = stage;
  return {
    'care.clients.list': async () => ({ by: provider }),
    'care.clients.get': async () => ({ by: { ...cast.provider, id: cast.providerId }, about: cast.clientId }),
  };
}
