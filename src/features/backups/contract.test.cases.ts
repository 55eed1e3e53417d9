import { newId } from '#/platform/clock.ts';
import type { Cases, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
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

export const updates: NamesBy = {
  'backups.changed role:super_admin': ['backups.request', 'backups.remove'],
};
