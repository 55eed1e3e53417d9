import type { PersonalPart } from '#/platform/personal.ts';

/** A specialist's working hours. */
export const availabilityPersonal: PersonalPart = {
  name: 'availability',
  async collect({ db }, personId) {
    const [weekly_hours, date_exceptions] = await Promise.all([
      db
        .selectFrom('weekly_hours')
        .selectAll()
        .where('provider_id', '=', personId)
        .orderBy('weekday')
        .orderBy('from_time')
        .execute(),
      db
        .selectFrom('date_exceptions')
        .selectAll()
        .where('provider_id', '=', personId)
        .orderBy('date')
        .execute(),
    ]);
    return { tables: { weekly_hours, date_exceptions } };
  },
  async erase({ db }, personId) {
    await db.deleteFrom('weekly_hours').where('provider_id', '=', personId).execute();
    await db.deleteFrom('date_exceptions').where('provider_id', '=', personId).execute();
  },
};
