import type { PersonalPart } from '#/platform/personal.ts';

export const settingsHistoryPersonal: PersonalPart = {
  name: 'settings-history',
  async collect({ db }, personId) {
    const rows = await db
      .selectFrom('site_settings_history')
      .selectAll()
      .where('changed_by', '=', personId)
      .orderBy('version')
      .execute();
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
    const rows = await db
      .selectFrom('feature_flags')
      .selectAll()
      .where('modified_by', '=', personId)
      .orderBy('id')
      .execute();
    const chosen = await db
      .selectFrom('feature_flag_users')
      .selectAll()
      .where('person_id', '=', personId)
      .orderBy('flag_id')
      .execute();
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
