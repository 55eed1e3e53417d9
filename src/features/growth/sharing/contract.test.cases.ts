import type { Cases } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { client, call, newProvider, session } = stage;

  async function sharedWith() {
    const by = await newProvider();
    await session(-5, 'completed', by);
    await call(client, 'care.sharing.set', { providerId: by.id, progress: true });
    return by;
  }

  return {
    'growth.sharing.goals': async () => {
      const by = await sharedWith();
      return { by, input: { clientId: client.id }, about: client.id };
    },
    'growth.sharing.progress': async () => {
      const by = await sharedWith();
      return { by, input: { clientId: client.id }, about: client.id };
    },
  };
}
