import { rowsOf, type PersonalPart } from '#/platform/personal.ts';

export const backupsPersonal: PersonalPart = {
  name: 'backups',
  async collect({ db }, personId) {
    const rows = await rowsOf(db, 'backups', 'requested_by', personId, 'id');
    return { tables: { backups: rows } };
  },
  async erase({ db }, personId) {
    await db
      .updateTable('backups')
      .set({ requested_by: null })
      .where('requested_by', '=', personId)
      .execute();
  },
};
