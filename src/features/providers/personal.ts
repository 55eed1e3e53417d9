import { sql } from 'kysely';
import { rowsOf, type PersonalPart } from '#/platform/personal.ts';
import { clearPageCache } from '#/platform/realtime/publish.ts';

/** A provider's listing. Erasure blanks the row but keeps it, since appointments reference it. */
export const providersPersonal: PersonalPart = {
  name: 'providers',
  async collect({ db }, personId) {
    const [providers, provider_services, places, provider_credentials] = await Promise.all([
      rowsOf(db, 'providers', 'id', personId),
      rowsOf(db, 'provider_services', 'provider_id', personId, 'service_id'),
      rowsOf(db, 'places', 'provider_id', personId, 'position', 'id'),
      db
        .selectFrom('provider_credentials')
        .select(['id', 'provider_id', 'kind', 'number', 'issuer', 'region', 'expires_on', 'replaces'])
        .select(['state', 'reason', 'submitted_at', 'decided_at'])
        .where('provider_id', '=', personId)
        .orderBy('submitted_at')
        .orderBy('id')
        .execute(),
    ]);
    return { tables: { providers, provider_services, places, provider_credentials } };
  },
  async erase(tx, personId) {
    await tx.db
      .updateTable('provider_credentials')
      .set({ decided_by: null })
      .where('decided_by', '=', personId)
      .execute();
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
        session_lengths: null,
        buffer_minutes: null,
        notice_hours: null,
        daily_maximum: null,
        rest_kind: sql`default`,
        rest_place: null,
        rest_latitude: null,
        rest_longitude: null,
        rest_time_zone: null,
        availability_version: sql`default`,
        phone: null,
        time_zone: 'UTC',
        approves_first: sql`default`,
        listed: false,
        listed_before_deletion: null,
        position: sql`default`,
        rating_sum: 0,
        rating_count: 0,
        version: sql`default`,
        licensed_until: null,
        expiry_announced: null,
        expiry_told: null,
        approval_revoked_at: null,
        approval_revoked_reason: null,
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
    await tx.db.deleteFrom('provider_credentials').where('provider_id', '=', personId).execute();
    await tx.db.deleteFrom('provider_services').where('provider_id', '=', personId).execute();
    await clearPageCache(tx);
  },
};
