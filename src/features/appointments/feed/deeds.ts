import type { Deeds, Told } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { client, provider, call } = stage;
  return {
    'feed.make': async () => ({ by: client, about: client.id }),
    'feed.revoke': async () => {
      await call(provider, 'feed.make');
      return { by: provider, about: provider.id };
    },
  };
}

export const tells: Told = {
  'calendar_feed.changed self': ['feed.make', 'feed.revoke'],
};
