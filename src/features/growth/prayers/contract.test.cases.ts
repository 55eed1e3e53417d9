import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { db, client, provider, call, session } = stage;

  /** A prayer request sent to the provider. */
  async function prayer() {
    await session(-8, 'completed');
    const { id } = await call(client, 'growth.prayers.ask', {
      requestId: undefined,
      providerId: provider.id,
    });
    await db.deleteFrom('rate_limits').where('key', 'like', 'prayer:%').execute();
    return id;
  }

  return {
    'growth.prayers.ask': async () => {
      await session(-5, 'completed');
      return { by: client, input: { requestId: undefined, providerId: provider.id } };
    },
    'growth.prayers.settle': async () => {
      const requestId = await prayer();
      return { by: client, input: { requestId }, about: requestId };
    },
    'growth.prayers.remove': async () => {
      const requestId = await prayer();
      return { by: client, input: { requestId }, about: requestId };
    },
    'growth.prayers.prayed': async () => {
      const requestId = await prayer();
      return { by: provider, input: { requestId }, about: requestId };
    },
    'growth.prayers.undoPrayed': async () => {
      const requestId = await prayer();
      await call(provider, 'growth.prayers.prayed', { requestId });
      return { by: provider, input: { requestId }, about: requestId };
    },
    'growth.prayers.received': async () => ({ by: provider, about: null }),
  };
}

export const withoutSubject: NamesBy = {
  'it is about the site or a whole list': ['growth.prayers_viewed'],
  'what somebody writes or keeps is nobody else’s matter': [
    'prayed',
    'prayed_undone',
    'prayer_answered',
    'prayer_asked',
    'prayer_removed',
  ],
};

export const withoutValues: NamesBy = {
  'what somebody writes or keeps is nobody else’s matter': ['prayer_note_changed'],
};

export const updates: NamesBy = {
  'growth.changed other self': [
    'growth.prayers.ask',
    'growth.prayers.settle',
    'growth.prayers.remove',
    'growth.prayers.prayed',
    'growth.prayers.undoPrayed',
  ],
};

export const jobs: NamesBy = {
  'notifications.prayer-asked': ['growth.prayers.ask'],
  'notifications.prayed': ['growth.prayers.prayed'],
};
