import { rowsOf, type PersonalPart } from '#/platform/personal.ts';
import { m } from '#/texts/messages.js';
import type { Ctx } from '#/platform/context.ts';
import { eraseRecords } from './clients/commands.ts';

/**
 * Exports sharing settings, never notes: session notes belong to the clinical record, private notes to their author.
 * Erasing either account deletes settings and notes.
 */
export const carePersonal: PersonalPart = {
  name: 'care',
  async collect({ db }, personId) {
    const shares = await rowsOf(db, 'shares', 'client_id', personId, 'provider_id');
    const has = (side: 'client_id' | 'provider_id') =>
      db.selectFrom('appointments').select('id').where(side, '=', personId).limit(1).executeTakeFirst();
    const [served, serving] = await Promise.all([has('client_id'), has('provider_id')]);
    return {
      tables: { shares },
      leftOut: [
        // Always listed: reveals nothing about notes.
        ...(served ? [m.care_left_out_record(), m.care_left_out_private()] : []),
        ...(serving ? [m.care_left_out_own()] : []),
      ],
    };
  },
  async erase({ db }, personId) {
    for (const table of ['session_notes', 'private_notes', 'shares'] as const) {
      await db.deleteFrom(table).where('client_id', '=', personId).execute();
      await db.deleteFrom(table).where('provider_id', '=', personId).execute();
    }
  },
};

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
