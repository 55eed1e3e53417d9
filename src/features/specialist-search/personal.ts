import { rowsOf, type PersonalPart } from '#/platform/personal.ts';

export const specialistSearchPersonal: PersonalPart = {
  name: 'booking',
  async collect({ db }, personId) {
    const openings = await rowsOf(db, 'openings', 'provider_id', personId, 'minutes', 'in_person');
    return { tables: { openings } };
  },
  async erase({ db }, personId) {
    await db.deleteFrom('openings').where('provider_id', '=', personId).execute();
  },
};
