import { newId } from '#/platform/clock.ts';
import type { Deeds, Told } from '../../../tests/support/deeds.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function deeds(stage: Stage): Deeds {
  const { db, admin } = stage;
  return {
    'backups.request': async () => ({ by: admin }),
    'backups.remove': async () => {
      const id = newId();
      const at = new Date();
      await db
        .insertInto('backups')
        .values({
          id,
          requested_at: at,
          origin: 'person',
          state: 'done',
          started_at: at,
          finished_at: at,
          checksum: '0'.repeat(64),
          file_name: 'italk-of-the-test.backup',
        })
        .execute();
      return { by: admin, input: { backupId: id }, about: id };
    },
  };
}

export const tells: Told = {
  'backups.changed role:super_admin': ['backups.request', 'backups.remove'],
};
