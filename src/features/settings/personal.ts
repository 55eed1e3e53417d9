import type { PersonalPart } from '#/platform/personal.ts';

/** Which feature flags a person has changed last. */
export const settingsPersonal: PersonalPart = {
  name: 'settings',
  async collect({ db }, personId) {
    const rows = await db
      .selectFrom('feature_flags')
      .selectAll()
      .where('modified_by', '=', personId)
      .orderBy('id')
      .execute();
    return { tables: { feature_flags: rows } };
  },
  async erase({ db }, personId) {
    await db
      .updateTable('feature_flags')
      .set({ modified_by: null })
      .where('modified_by', '=', personId)
      .execute();
  },
};
