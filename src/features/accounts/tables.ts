import type { Generated } from 'kysely';
import type { Role, Scope } from '#/kernel/actor.ts';
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

/** A confirmed number that gets sign-in codes by text, at most one per account. */
export interface SignInPhonesTable {
  user_id: string;
  /** E.164, of one account only. */
  number: string;
  created_at: Date;
}

/** A browser known to an account: it signed in there, or its owner followed an unlock link. */
export interface KnownDevicesTable {
  id: string;
  user_id: string;
  /** SHA-256 of the browser's cookie value. */
  token: string;
  /** Until then, it needs no second step. */
  trusted_until: Date | null;
  /** When it was trusted. */
  user_agent: string | null;
  created_at: Date;
  used_at: Date;
}

export interface ProgramKeysTable {
  /** The `kid` of tokens it signs. */
  id: string;
  /** JWK. */
  public_key: string;
  /** Encrypted JWK. */
  sealed_private_key: string;
  created_at: Date;
}

export interface AddressChangesTable {
  id: string;
  /** Undoing a change also undoes later ones. */
  position: Generated<number>;
  user_id: string;
  former_address: string;
  /** SHA-256 of the emailed token; null if the former address was unverified. */
  token: string | null;
  changed_at: Date;
  /** Confirmed from both addresses: sign-in stays open. */
  by_owner: Generated<boolean>;
}

/** At most one per account. */
export interface EmailChangeRequestsTable {
  user_id: string;
  id: string;
  /** Lowercase. */
  address: string;
  /** Stays signed in after the change. */
  session_id: string;
  former_confirmed_at: Date | null;
  new_confirmed_at: Date | null;
  created_at: Date;
  expires_at: Date;
}

/** No column opens with the server's keys. */
export interface AuthorKeysTable {
  person_id: string;
  /** Argon2id parameters, salt and the wrapped key. */
  by_password: string;
  /** True if a new password was set without the former one. */
  password_replaced: boolean;
  /** Null until the person creates a recovery key. */
  by_recovery_key: string | null;
  recovery_key_at: Date | null;
  created_at: Date;
}

/** Not accounts: their passwords can't sign in. */
export interface SignUpsTable {
  id: string;
  /** Lowercase. */
  email: string;
  name: string;
  /** Argon2id hash. */
  password: string;
  /** SHA-256 of the browser's cookie value. */
  proof: string;
  created_at: Date;
  expires_at: Date;
}

export interface ApiTokensTable {
  id: string;
  /** Null for the site's. */
  user_id: string | null;
  /** Who made a token of the site. */
  made_by: string | null;
  name: string;
  /** SHA-256. */
  token: string;
  scopes: Scope[];
  /** Role at creation; invalid in any other. */
  role: Role | null;
  created_at: Date;
  expires_at: Date;
  /** To the minute; null if never. */
  used_at: Date | null;
}

/** A browser's sign-in code, at most one per address or number. */
export interface SignInCodesTable {
  id: string;
  /** HMAC of the address or number. */
  address: string;
  /** Null if the code opens no account: nothing is sent, and every try is wrong. */
  user_id: string | null;
  /** SHA-256 of what identifies the asker. */
  device: string;
  /** HMAC of the network of the program that asked; null for a browser. */
  network: string | null;
  /** Keyed hash; null until sent. */
  code: string | null;
  tries: Generated<number>;
  created_at: Date;
  expires_at: Date;
}

export interface SecondFactorsTable {
  id: string;
  user_id: string;
  /** Encrypted Base32. Null without an app. */
  secret: string | null;
  by_passkey: Generated<boolean>;
  /** Makes each code work only once (RFC 6238, section 5.2). */
  last_counter: Generated<number>;
  /** Null until a first code proves the app has the secret. */
  confirmed_at: Date | null;
  created_at: Date;
}

export interface BackupCodesTable {
  id: string;
  factor_id: string;
  digest: string;
  used_at: Date | null;
}

declare module '#/platform/context.ts' {
  interface Database {
    users: UsersTable;
    sessions: SessionsTable;
    credentials: CredentialsTable;
    verifications: VerificationsTable;
    profiles: ProfilesTable;
    sign_in_phones: SignInPhonesTable;
    known_devices: KnownDevicesTable;
    program_keys: ProgramKeysTable;
    address_changes: AddressChangesTable;
    email_change_requests: EmailChangeRequestsTable;
    author_keys: AuthorKeysTable;
    sign_ups: SignUpsTable;
    api_tokens: ApiTokensTable;
    sign_in_codes: SignInCodesTable;
    second_factors: SecondFactorsTable;
    backup_codes: BackupCodesTable;
  }
}
