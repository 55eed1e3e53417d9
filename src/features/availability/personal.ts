import { rowsOf, type PersonalPart } from '#/platform/personal.ts';

export const availabilityPersonal: PersonalPart = {
  name: 'availability',
  async collect({ db }, personId) {
    const [weekly_hours, date_exceptions, kept_holidays, time_blocks] = await Promise.all([
      rowsOf(db, 'weekly_hours', 'provider_id', personId, 'weekday', 'from_time'),
      rowsOf(db, 'date_exceptions', 'provider_id', personId, 'date'),
      rowsOf(db, 'kept_holidays', 'provider_id', personId),
      rowsOf(db, 'time_blocks', 'provider_id', personId, 'starts_at', 'id'),
    ]);
    return { tables: { weekly_hours, date_exceptions, kept_holidays, time_blocks } };
  },
  async erase({ db }, personId) {
    for (const table of ['weekly_hours', 'date_exceptions', 'kept_holidays', 'time_blocks'] as const) {
      await db.deleteFrom(table).where('provider_id', '=', personId).execute();
    }
  },
};
