import type { Deeds } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
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
