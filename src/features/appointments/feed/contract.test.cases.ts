import { demoPassword } from '#/features/accounts/demo.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases({ call, newClient }: Stage): Cases {
  const confirmed = async () => {
    const by = await newClient();
    await call(by, 'reauthentication.confirm', { password: demoPassword });
    return by;
  };
  return {
    'appointments.feed.make': async () => {
      const by = await confirmed();
      return { by, about: by.id };
    },
    'appointments.feed.revoke': async () => {
      const by = await confirmed();
      await call(by, 'appointments.feed.make');
      return { by, about: by.id };
    },
  };
}

export const updates: NamesBy = {
  'calendar_feed.changed self': ['appointments.feed.make', 'appointments.feed.revoke'],
};
