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
