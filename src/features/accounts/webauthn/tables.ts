import type { Generated } from 'kysely';

/** A passkey's public half; bytes in base64url. */
export interface PasskeysTable {
  id: string;
  user_id: string;
  credential_id: string;
  /** Names the account inside authenticators: random, and the same for all its passkeys. */
  user_handle: string;
  /** COSE. */
  public_key: string;
  /** Uses, if the authenticator counts them. */
  counter: Generated<number>;
  transports: Generated<string[]>;
  /** Whether the authenticator may copy the key to other devices. Never changes. */
  backup_eligible: boolean;
  backed_up: boolean;
  /** Author key wrapped by this passkey, if any. */
  author_key: string | null;
  name: string;
  created_at: Date;
  used_at: Date | null;
}

/** A challenge for a browser to sign. */
interface PasskeyChallengesTable {
  /** SHA-256. */
  challenge: string;
  /** SHA-256 of the purpose and the browser's cookie or session id. */
  holder: string;
  /** For a new passkey. */
  user_handle: string | null;
  expires_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    passkeys: PasskeysTable;
    passkey_challenges: PasskeyChallengesTable;
  }
}
