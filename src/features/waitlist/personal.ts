import type { PersonalPart } from '#/platform/personal.ts';

export const waitlistPersonal: PersonalPart = {
  name: 'booking',
  async collect({ db }, personId) {
    // As client only: entries for a provider belong to their clients.
    const own = db.selectFrom('waits').where('client_id', '=', personId);
    const [waits, wait_offers] = await Promise.all([
      own.selectAll().orderBy('asked_at').orderBy('id').execute(),
      db
        .selectFrom('wait_offers')
        .selectAll()
        .where('wait_id', 'in', own.select('id'))
        .orderBy('offered_at')
        .orderBy('id')
        .execute(),
    ]);
    return { tables: { waits, wait_offers } };
  },
  async erase(tx, personId) {
    const { db } = tx;
    await db.deleteFrom('waits').where('client_id', '=', personId).execute();
    await db
      .updateTable('waits')
      .set({ state: 'over', ended_at: new Date(tx.now().epochMilliseconds) })
      .where('provider_id', '=', personId)
      .where('state', '=', 'waiting')
      .execute();
  },
};
