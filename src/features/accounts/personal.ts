import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { rowsOf, type PersonalPart } from '#/platform/personal.ts';
import { m } from '#/texts/messages.js';
import { faithOf } from './queries.ts';
import { byPreferenceColumn, erasedAddress } from './rules.ts';

/** Erased after the parts of later features, which look the person up by it. */
export const accountsPersonal: PersonalPart = {
  name: 'accounts',
  async collect(ctx, personId) {
    const { db } = ctx;
    const [users, profiles, sessions, credentials, verifications, exports] = await Promise.all([
      rowsOf(db, 'users', 'id', personId),
      rowsOf(db, 'profiles', 'id', personId),
      sessionsOf(db, personId),
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
      rowsOf(db, 'exports', 'person_id', personId, 'requested_at'),
    ]);
    const proofs = await signInProofsOf(db, personId);
    const known_devices = await db
      .selectFrom('known_devices')
      .select(['id', 'user_id', 'trusted_until', 'user_agent', 'created_at', 'used_at'])
      .where('user_id', '=', personId)
      .orderBy('created_at')
      .execute();
    const sign_in_codes = await db
      .selectFrom('sign_in_codes')
      .select(['id', 'user_id', 'created_at', 'expires_at'])
      .where('user_id', '=', personId)
      .execute();
    const programs = await programSignInsOf(db, personId);
    const sign_ups = await db
      .selectFrom('sign_ups')
      .select(['id', 'email', 'name', 'created_at', 'expires_at'])
      .where('email', 'in', ownAddress(db, personId))
      .orderBy('created_at')
      .execute();
    const author_keys = await db
      .selectFrom('author_keys')
      .select(['person_id', 'password_replaced', 'recovery_key_at', 'created_at'])
      .where('person_id', '=', personId)
      .execute();
    // Never export the link token: it can change the account's address.
    const address_changes = await db
      .selectFrom('address_changes')
      .select(['id', 'user_id', 'former_address', 'changed_at', 'by_owner'])
      .where('user_id', '=', personId)
      .orderBy('position')
      .execute();
    const email_change_requests = await rowsOf(db, 'email_change_requests', 'user_id', personId);
    return {
      tables: {
        users,
        profiles: profiles.map(({ sealed_tradition, sealed_focus, ...row }) => {
          const faith = faithOf(ctx, { ...row, sealed_tradition, sealed_focus });
          return { ...row, spiritual_tradition: faith.tradition, mental_health_focus: faith.focusAreas };
        }),
        sessions,
        known_devices,
        credentials,
        verifications,
        exports,
        ...proofs,
        sign_in_codes,
        ...programs,
        sign_ups,
        address_changes,
        email_change_requests,
        author_keys,
      },
    };
  },
  async erase(tx, personId) {
    const { db } = tx;
    const now = new Date(tx.now().epochMilliseconds);
    const name = m.web_erased_account();
    const own = [
      'sessions',
      'sign_in_codes',
      'program_sign_ins',
      'known_devices',
      'credentials',
      'second_factors',
      'passkeys',
      'linked_identities',
      'sign_in_phones',
      'api_tokens',
      'address_changes',
      'email_change_requests',
    ] as const;
    await deleteProofs(db, personId);
    for (const table of own) {
      await db.deleteFrom(table).where('user_id', '=', personId).execute();
    }
    await db.deleteFrom('verifications').where('value', '=', personId).execute();
    await db.deleteFrom('author_keys').where('person_id', '=', personId).execute();
    await db.deleteFrom('exports').where('person_id', '=', personId).execute();
    await db.deleteFrom('sign_ups').where('email', 'in', ownAddress(db, personId)).execute();
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
        sealed_tradition: null,
        sealed_focus: null,
        time_zone: null,
        ...byPreferenceColumn(() => false),
        photo_id: null,
        delete_after: null,
        administration_granted_at: null,
        last_active_at: null,
        suspended_at: null,
        links_ended_at: null,
        // Keeps the first erasure time.
        erased_at: sql`coalesce(erased_at, ${now})`,
      })
      .where('id', '=', personId)
      .execute();
  },
};

function sessionsOf(db: Ctx['db'], personId: string) {
  return db
    .selectFrom('sessions')
    .select([
      'id',
      'user_id',
      'ip_address',
      'user_agent',
      'device_id',
      'created_at',
      'updated_at',
      'expires_at',
      'reauthenticated_at',
      'fully_reauthenticated_at',
      'passkey_id',
      'identity_id',
      'by_phone',
    ])
    .where('user_id', '=', personId)
    .orderBy('created_at')
    .execute();
}

async function signInProofsOf(db: Ctx['db'], personId: string) {
  // Never export the second-factor secret: an export must not be enough to sign in.
  const second_factors = await db
    .selectFrom('second_factors')
    .select(['id', 'user_id', 'by_passkey', 'confirmed_at', 'created_at'])
    .where('user_id', '=', personId)
    .execute();
  // Without keys and ids that only authenticators understand.
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['id', 'user_id', 'name', 'transports', 'backed_up', 'created_at', 'used_at'])
    .where('user_id', '=', personId)
    .orderBy('created_at')
    .execute();
  // Without the hash.
  const api_tokens = await db
    .selectFrom('api_tokens')
    .select(['id', 'user_id', 'name', 'scopes', 'role', 'created_at', 'expires_at', 'used_at'])
    .where('user_id', '=', personId)
    .orderBy('created_at')
    .execute();
  const linked_identities = await rowsOf(db, 'linked_identities', 'user_id', personId, 'created_at');
  const sign_in_phones = await rowsOf(db, 'sign_in_phones', 'user_id', personId);
  return { second_factors, passkeys, linked_identities, sign_in_phones, api_tokens };
}

async function programSignInsOf(db: Ctx['db'], personId: string) {
  const program_sessions = await db
    .selectFrom('program_sessions')
    .innerJoin('sessions', 'sessions.id', 'session_id')
    .select(['session_id', 'method', 'factor_at', 'recovers_until'])
    .where('user_id', '=', personId)
    .orderBy('session_id')
    .execute();
  const program_sign_ins = await db
    .selectFrom('program_sign_ins')
    .select(['id', 'user_id', 'session_id', 'method', 'created_at', 'expires_at'])
    .where('user_id', '=', personId)
    .orderBy('created_at')
    .execute();
  return { program_sessions, program_sign_ins };
}

function ownAddress(db: Ctx['db'], personId: string) {
  return db.selectFrom('users').select('email').where('id', '=', personId).where('email_verified', '=', true);
}

/** Forgets what providers said about the person at sign-ins that didn't finish. Reads addresses that erasing deletes. */
async function deleteProofs(db: Ctx['db'], personId: string): Promise<void> {
  await db
    .deleteFrom('openid_requests')
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('email', 'in', selectFrom('users').select('email').where('id', '=', personId)),
        exists(
          selectFrom('linked_identities as identity')
            .whereRef('identity.issuer', '=', 'openid_requests.issuer')
            .whereRef('identity.subject', '=', 'openid_requests.subject')
            .where('identity.user_id', '=', personId)
            .select('identity.id'),
        ),
      ]),
    )
    .execute();
}
