import type { Generated } from 'kysely';
import type { Role } from '#/kernel/actor.ts';

/** A person who can sign in. The address is kept in lower case. */
export interface UsersTable {
  id: string;
  name: string;
  email: string;
  email_verified: Generated<boolean>;
  image: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** A sign-in that lasts. `token` is the SHA-256 of what the cookie holds. */
export interface SessionsTable {
  id: string;
  user_id: string;
  token: string;
  /** Moves with each use, as far as the session's longest life allows. */
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  /** The known device in which it was begun. */
  device_id: string | null;
  created_at: Generated<Date>;
  /** The last use that was noted. */
  updated_at: Generated<Date>;
  /** When its person last showed again who they are; null: not since they signed in. */
  reauthenticated_at: Date | null;
}

/** A way in; of a password only its Argon2id hash. */
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

/** A link that was mailed: `identifier` is a hash that only the link's token yields, `value` the id of a user or a sign-up. */
export interface VerificationsTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: Date;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** What a person is called, may do and prefers; there from sign-up on, under the user's id. */
export interface ProfilesTable {
  id: string;
  role: Generated<Role>;
  full_name: string;
  /** Blank, but for what an earlier release has written in the clear. */
  spiritual_tradition: Generated<string>;
  /** The same. */
  mental_health_focus: Generated<string[]>;
  /** Sealed; null until somebody names a tradition. */
  sealed_tradition: string | null;
  /** A list as JSON, sealed. */
  sealed_focus: string | null;
  time_zone: string | null;
  keep_discreet: Generated<boolean>;
  /** The stored file that stands for the person, in the bucket `photos`. */
  photo_id: string | null;
  session_reminders: Generated<boolean>;
  daily_devotionals: Generated<boolean>;
  community_updates: Generated<boolean>;
  /** When the account is erased, if the person has asked for it and doesn't keep it meanwhile. */
  delete_after: Date | null;
  erased_at: Date | null;
  created_at: Generated<Date>;
  /** When the account was last used, to a quarter of an hour; null: never. */
  last_active_at: Date | null;
  /** Since when nobody can sign in to the account; null: it is open. */
  suspended_at: Date | null;
  /** When an address of ADMIN_EMAILS got its role, which it gets once. */
  administration_granted_at: Date | null;
  /** Links that were asked for before it open nothing any more; null: none was ended. */
  links_ended_at: Date | null;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    users: UsersTable;
    sessions: SessionsTable;
    credentials: CredentialsTable;
    verifications: VerificationsTable;
    profiles: ProfilesTable;
  }
}
