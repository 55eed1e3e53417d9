import type { Ctx } from '#/platform/context.ts';
import type { PersonalPart } from '#/platform/personal.ts';
import { eraseRecords } from './commands.ts';

/** Exports records to the specialist who added them and the email address owner. */
export const recordsPersonal: PersonalPart = {
  name: 'client records',
  async collect({ db }, personId) {
    const client_records = await db
      .selectFrom('client_records')
      .innerJoin('profiles', 'profiles.id', 'client_records.person_id')
      .selectAll('client_records')
      .select('profiles.full_name as name')
      .where('client_records.person_id', 'in', recordsOf(db, personId))
      .orderBy('client_records.created_at')
      .orderBy('client_records.person_id')
      .execute();
    return { tables: { client_records } };
  },
  async erase(tx, personId) {
    const { db } = tx;
    await eraseRecords(tx, personId);
    const addressed = recordsOf(db, personId);
    await db.deleteFrom('client_claims').where('person_id', 'in', addressed).execute();
    await db
      .updateTable('client_records')
      .set({ email: null, phone: null })
      .where('person_id', 'in', addressed)
      .execute();
  },
};

function recordsOf(db: Ctx['db'], personId: string) {
  return db
    .selectFrom('client_records')
    .select('person_id')
    .where(({ or, eb }) => or([eb('provider_id', '=', personId), eb('person_id', '=', personId)]))
    .union(
      db
        .selectFrom('client_records')
        .innerJoin('users', 'users.email', 'client_records.email')
        .select('client_records.person_id')
        .where('users.id', '=', personId)
        .where('email_verified', '=', true),
    );
}
