import { newId, systemNow } from '#/platform/clock.ts';
import type { Cases } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases({ server, newClient }: Stage): Cases {
  return {
    'trustedDevices.forget': async () => {
      const by = await newClient();
      const [id, now] = [newId(), systemNow()];
      const at = new Date(now.epochMilliseconds);
      await server.database.db
        .insertInto('known_devices')
        .values({
          id,
          user_id: by.id,
          token: id,
          trusted_until: new Date(now.add({ hours: 24 }).epochMilliseconds),
          created_at: at,
          used_at: at,
        })
        .execute();
      return { by, input: { id }, about: by.id };
    },
  };
}
