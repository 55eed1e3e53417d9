import { sql } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { PersonalPart } from '#/platform/personal.ts';

/**
 * Emergency accesses to a person's conversations. Erasing either member deletes the reason, which describes both; the
 * access and its administrator stay on record.
 */
export const emergencyPersonal: PersonalPart = {
  name: 'emergency',
  async collect({ db }, personId) {
    const rows = await db
      .selectFrom('emergency_accesses as e')
      .innerJoin('conversations as c', 'c.id', 'e.conversation_id')
      .select(['e.id', 'e.conversation_id', 'e.opened_at', 'e.ends_at'])
      .where(({ or, eb }) => or([eb('c.client_id', '=', personId), eb('c.provider_id', '=', personId)]))
      .orderBy('e.opened_at')
      .execute();
    return {
      tables: {
        emergency_accesses: rows.map(({ opened_at, ends_at, ...row }) => ({
          ...row,
          opened_at: isoOf(opened_at),
          ends_at: isoOf(ends_at),
        })),
      },
    };
  },
  async erase(tx, personId) {
    await sql`
      update emergency_accesses e set reason = null from conversations c
       where c.id = e.conversation_id and ${personId}::uuid in (c.client_id, c.provider_id)`.execute(tx.db);
  },
};
