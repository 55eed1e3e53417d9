import { sql } from 'kysely';
import type { PersonalPart } from '#/platform/personal.ts';
import { m } from '#/texts/messages.js';
import { baseLocale } from '#/texts/runtime.js';
import { erasedAddress } from './deletion/rules.ts';

/** The account itself. It comes last when it is erased: the other parts find the person by it. */
export const accountsPersonal: PersonalPart = {
  name: 'accounts',
  async collect({ db }, personId) {
    const [users, profiles, sessions, credentials, verifications, exports] = await Promise.all([
      db.selectFrom('users').selectAll().where('id', '=', personId).execute(),
      db.selectFrom('profiles').selectAll().where('id', '=', personId).execute(),
      db
        .selectFrom('sessions')
        .select(['id', 'user_id', 'ip_address', 'user_agent', 'created_at', 'updated_at', 'expires_at'])
        .where('user_id', '=', personId)
        .orderBy('created_at')
        .execute(),
      db
        .selectFrom('credentials')
        .select(['id', 'user_id', 'provider_id', 'account_id', 'scope', 'created_at', 'updated_at'])
        .where('user_id', '=', personId)
        .orderBy('created_at')
        .execute(),
      db
        .selectFrom('verifications')
        .select(['id', 'value', 'expires_at', 'created_at', 'updated_at'])
        .where('value', '=', personId)
        .orderBy('created_at')
        .execute(),
      db
        .selectFrom('exports')
        .selectAll()
        .where('person_id', '=', personId)
        .orderBy('requested_at')
        .execute(),
    ]);
    // Never the secret of the second factor: who holds an export must not be able to sign in.
    const second_factors = await db
      .selectFrom('second_factors')
      .select(['id', 'user_id', 'confirmed_at', 'created_at'])
      .where('user_id', '=', personId)
      .execute();
    return { tables: { users, profiles, sessions, credentials, verifications, exports, second_factors } };
  },
  async erase(tx, personId) {
    const { db } = tx;
    const now = new Date(tx.now().epochMilliseconds);
    const name = m.accounts_erased_name({}, { locale: baseLocale });
    for (const table of ['sessions', 'credentials', 'second_factors'] as const) {
      await db.deleteFrom(table).where('user_id', '=', personId).execute();
    }
    await db.deleteFrom('verifications').where('value', '=', personId).execute();
    await db.deleteFrom('exports').where('person_id', '=', personId).execute();
    await db
      .updateTable('users')
      .set({
        name,
        email: erasedAddress(personId),
        email_verified: false,
        image: null,
        updated_at: now,
      })
      .where('id', '=', personId)
      .execute();
    await db
      .updateTable('profiles')
      .set({
        role: 'client',
        full_name: name,
        spiritual_tradition: sql`default`,
        mental_health_focus: sql`default`,
        time_zone: null,
        keep_discreet: sql`default`,
        photo_id: null,
        session_reminders: false,
        daily_devotionals: false,
        community_updates: false,
        delete_after: null,
        administration_granted_at: null,
        last_active_at: null,
        suspended_at: null,
        // The first time counts.
        erased_at: sql`coalesce(erased_at, ${now})`,
      })
      .where('id', '=', personId)
      .execute();
  },
};
