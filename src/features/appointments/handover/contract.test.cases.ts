import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { admin, call, newProvider } = stage;
  return {
    'appointments.handover.revoke': async () => {
      const { id: providerId } = await newProvider();
      return { by: admin, input: { providerId, sessions: [] }, about: [providerId, providerId] };
    },
    'appointments.handover.restore': async () => {
      const { id: providerId } = await newProvider();
      await call(admin, 'appointments.handover.revoke', { providerId, sessions: [] });
      return { by: admin, input: { providerId }, about: [providerId, providerId] };
    },
    'appointments.handover.sessions': async () => {
      const { id: providerId } = await newProvider();
      return { by: admin, input: { providerId }, about: providerId };
    },
  };
}

export const updates: NamesBy = {
  'providers.applications_changed other role:super_admin': [
    'appointments.handover.revoke',
    'appointments.handover.restore',
  ],
  'providers.listing_changed other role:super_admin': [
    'appointments.handover.revoke',
    'appointments.handover.restore',
  ],
};

export const jobs: NamesBy = {
  'notifications.approval': ['appointments.handover.revoke', 'appointments.handover.restore'],
  'waitlist.listing': ['appointments.handover.revoke', 'appointments.handover.restore'],
};
