import type { Cases, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { client, newProvider, session } = stage;
  return {
    'video.admit': async () => {
      const by = await newProvider();
      const appointmentId = await session(-0.1, 'confirmed', by);
      return { by, input: { appointmentId, personId: client.id }, about: appointmentId };
    },
    'video.end': async () => {
      const by = await newProvider();
      const appointmentId = await session(-0.1, 'confirmed', by);
      return { by, input: { appointmentId }, about: appointmentId };
    },
    'video.iceServers': async () => {
      const by = await newProvider();
      return { by, input: { appointmentId: await session(-0.1, 'confirmed', by) } };
    },
  };
}

export const updates: NamesBy = {
  'room.changed other': ['video.admit'],
  'room.changed other self': ['video.end'],
};
