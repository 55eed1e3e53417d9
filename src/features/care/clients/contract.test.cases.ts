import type { Cases } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { cast, provider } = stage;
  return {
    'care.clients.list': async () => ({ by: provider }),
    'care.clients.get': async () => ({ by: { ...cast.provider, id: cast.providerId }, about: cast.clientId }),
  };
}
