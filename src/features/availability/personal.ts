import type { PersonalPart } from '#/platform/personal.ts';

export const availabilityPersonal: PersonalPart = {
  name: 'availability',
  async collect({ db }, personId) {
    const [weekly_hours, date_exceptions, kept_holidays, time_blocks] = await Promise.all([
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
      db.selectFrom('kept_holidays').selectAll().where('provider_id', '=', personId).execute(),
      db
        .selectFrom('time_blocks')
        .selectAll()
        .where('provider_id', '=', personId)
        .orderBy('starts_at')
        .orderBy('id')
        .execute(),
    ]);
    return { tables: { weekly_hours, date_exceptions, kept_holidays, time_blocks } };
  },
  async erase({ db }, personId) {
    for (const table of ['weekly_hours', 'date_exceptions', 'kept_holidays', 'time_blocks'] as const) {
      await db.deleteFrom(table).where('provider_id', '=', personId).execute();
    }
  },
};
