import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { client, provider, call } = stage;
  return {
    'appointments.feed.make': async () => ({ by: client, about: client.id }),
    'appointments.feed.revoke': async () => {
      await call(provider, 'appointments.feed.make');
      return { by: provider, about: provider.id };
    },
  };
}

export const updates: NamesBy = {
  'calendar_feed.changed self': ['appointments.feed.make', 'appointments.feed.revoke'],
};
