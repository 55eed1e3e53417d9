import type { Deeds, Told } from '../../../../tests/support/deeds.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { admin, call, newProvider } = stage;
  return {
    'handover.revoke': async () => {
      const { id: providerId } = await newProvider();
      return { by: admin, input: { providerId, sessions: [] }, about: [providerId, providerId] };
    },
    'handover.restore': async () => {
      const { id: providerId } = await newProvider();
      await call(admin, 'handover.revoke', { providerId, sessions: [] });
      return { by: admin, input: { providerId }, about: [providerId, providerId] };
    },
    'handover.sessions': async () => {
      const { id: providerId } = await newProvider();
      return { by: admin, input: { providerId }, about: providerId };
    },
  };
}

export const tells: Told = {
  'providers.applications_changed other role:super_admin': ['handover.revoke', 'handover.restore'],
  'providers.listing_changed other role:super_admin': ['handover.revoke', 'handover.restore'],
};

export const starts: Told = {
  'notifications.approval': ['handover.revoke', 'handover.restore'],
  'waitlist.listing': ['handover.revoke', 'handover.restore'],
};
