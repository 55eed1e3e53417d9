import type { Generated } from 'kysely';
import type { Role } from '#/kernel/actor.ts';
import type { PreferenceColumn } from './rules.ts';

/** Email is lowercase. */
export interface UsersTable {
  id: string;
  name: string;
  email: string;
  email_verified: Generated<boolean>;
  image: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** `token` is the SHA-256 of the cookie value. */
export interface SessionsTable {
  id: string;
  user_id: string;
  token: string;
  /** Extended with each use, within the longest lifetime. */
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  device_id: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  /** Null until the person reauthenticates in this session. */
  reauthenticated_at: Date | null;
  /** Null until confirmed with every factor. */
  fully_reauthenticated_at: Date | null;
  /** The passkey that opened it, perhaps removed since. */
  passkey_id: string | null;
  /** The linked identity that opened it, perhaps disconnected. */
  identity_id: string | null;
  /** Whether a texted code opened it. */
  by_phone: Generated<boolean>;
  /** The author key, wrapped with a key that only the cookie makes; null while the person's words are locked. */
  author_key: string | null;
  /** Its passkey's wrapping key, until the words open. */
  passkey_key: string | null;
}

export interface CredentialsTable {
  id: string;
  user_id: string;
  account_id: string;
  provider_id: string;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: Date | null;
  refresh_token_expires_at: Date | null;
  scope: string | null;
  password: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** `identifier` is the token's hash; `value` is a user or sign-up id. */
export interface VerificationsTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: Date;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

type PreferenceColumns = Record<PreferenceColumn, Generated<boolean>>;

export interface ProfilesTable extends PreferenceColumns {
  id: string;
  role: Generated<Role>;
  full_name: string;
  /** Empty, except for cleartext from an earlier release. */
  spiritual_tradition: Generated<string>;
  /** Empty, except for cleartext from an earlier release. */
  mental_health_focus: Generated<string[]>;
  /** Encrypted; null until the person enters a tradition. */
  sealed_tradition: string | null;
  /** Encrypted JSON array. */
  sealed_focus: string | null;
  time_zone: string | null;
  photo_id: string | null;
  /** Scheduled erasure, unless canceled. */
  delete_after: Date | null;
  erased_at: Date | null;
  created_at: Generated<Date>;
  /** Updated at most every 15 minutes; null if never. */
  last_active_at: Date | null;
  suspended_at: Date | null;
  /** Granted once per ADMIN_EMAILS address. */
  administration_granted_at: Date | null;
  /** Links requested earlier don't work. */
  links_ended_at: Date | null;
}

declare module '#/platform/context.ts' {
  interface Database {
    users: UsersTable;
    sessions: SessionsTable;
    credentials: CredentialsTable;
    verifications: VerificationsTable;
    profiles: ProfilesTable;
  }
}
