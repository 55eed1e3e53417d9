import type { PersonalPart } from '#/platform/personal.ts';

export const specialistSearchPersonal: PersonalPart = {
  name: 'booking',
  async collect({ db }, personId) {
    const openings = await db
      .selectFrom('openings')
      .selectAll()
      .where('provider_id', '=', personId)
      .orderBy('minutes')
      .orderBy('in_person')
      .execute();
    return { tables: { openings } };
  },
  async erase({ db }, personId) {
    await db.deleteFrom('openings').where('provider_id', '=', personId).execute();
  },
};
