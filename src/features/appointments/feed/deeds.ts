import type { Deeds, Told } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { client, provider, call } = stage;
  return {
    'appointments.feed.make': async () => ({ by: client, about: client.id }),
    'appointments.feed.revoke': async () => {
      await call(provider, 'appointments.feed.make');
      return { by: provider, about: provider.id };
    },
  };
}

export const tells: Told = {
  'calendar_feed.changed self': ['appointments.feed.make', 'appointments.feed.revoke'],
};
