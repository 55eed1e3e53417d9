import { rowsOf, type PersonalPart } from '#/platform/personal.ts';

export const settingsHistoryPersonal: PersonalPart = {
  name: 'settings-history',
  async collect({ db }, personId) {
    const rows = await rowsOf(db, 'site_settings_history', 'changed_by', personId, 'version');
    return { tables: { site_settings_history: rows } };
  },
  async erase({ db }, personId) {
    await db
      .updateTable('site_settings_history')
      .set({ changed_by: null })
      .where('changed_by', '=', personId)
      .execute();
  },
};

export const settingsPersonal: PersonalPart = {
  name: 'settings',
  async collect({ db }, personId) {
    const rows = await rowsOf(db, 'feature_flags', 'modified_by', personId, 'id');
    const chosen = await rowsOf(db, 'feature_flag_users', 'person_id', personId, 'flag_id');
    return { tables: { feature_flags: rows, feature_flag_users: chosen } };
  },
  async erase({ db }, personId) {
    await db
      .updateTable('feature_flags')
      .set({ modified_by: null })
      .where('modified_by', '=', personId)
      .execute();
    await db.deleteFrom('feature_flag_users').where('person_id', '=', personId).execute();
  },
};
