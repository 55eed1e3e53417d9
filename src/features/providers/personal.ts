import { sql } from 'kysely';
import type { PersonalPart } from '#/platform/personal.ts';
import { forgetPages } from '#/platform/realtime/publish.ts';

/** A specialist's listing; an empty one stays, since sessions hang on it. */
export const providersPersonal: PersonalPart = {
  name: 'providers',
  async collect({ db }, personId) {
    const [providers, provider_services, places] = await Promise.all([
      db.selectFrom('providers').selectAll().where('id', '=', personId).execute(),
      db
        .selectFrom('provider_services')
        .selectAll()
        .where('provider_id', '=', personId)
        .orderBy('service_id')
        .execute(),
      db
        .selectFrom('places')
        .selectAll()
        .where('provider_id', '=', personId)
        .orderBy('position')
        .orderBy('id')
        .execute(),
    ]);
    return { tables: { providers, provider_services, places } };
  },
  async erase(tx, personId) {
    const emptied = await tx.db
      .updateTable('providers')
      .set({
        slug: `erased-${personId}`,
        title: '',
        specialties: [],
        experience: '',
        location: '',
        bio: '',
        education: [],
        approach: '',
        languages: [],
        traditions: [],
        faith_part: sql`default`,
        session_types: sql`default`,
        phone: null,
        time_zone: 'UTC',
        approves_first: sql`default`,
        listed: false,
        listed_before_deletion: null,
        position: sql`default`,
        rating_sum: 0,
        rating_count: 0,
      })
      .where('id', '=', personId)
      .returning('id')
      .execute();
    if (emptied.length === 0) return;
    await tx.db
      .updateTable('places')
      .set({ name: '', address: '', town: '', directions: '', latitude: null, longitude: null, closed: true })
      .where('provider_id', '=', personId)
      .execute();
    await tx.db.deleteFrom('provider_services').where('provider_id', '=', personId).execute();
    await forgetPages(tx);
  },
};
