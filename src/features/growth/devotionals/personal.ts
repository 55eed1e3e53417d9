import type { PersonalPart } from '#/platform/personal.ts';

/** Exports which days a person edited, without the site's text. */
export const devotionalsPersonal: PersonalPart = {
  name: 'devotionals',
  async collect(ctx, personId) {
    const rows = await ctx.db
      .selectFrom('devotionals')
      .select(['day', 'title', 'edited_at', 'edited_by'])
      .where('edited_by', '=', personId)
      .orderBy('day')
      .execute();
    return { tables: { devotionals: rows } };
  },
  async erase(tx, personId) {
    await tx.db
      .updateTable('devotionals')
      .set({ edited_by: null })
      .where('edited_by', '=', personId)
      .execute();
  },
};
