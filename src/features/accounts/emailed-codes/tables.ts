import type { Generated } from 'kysely';

/** A browser's sign-in code, at most one per address or number. */
export interface SignInCodesTable {
  id: string;
  /** HMAC of the address or number. */
  address: string;
  /** Null if the code opens no account: nothing is sent, and every try is wrong. */
  user_id: string | null;
  /** SHA-256 of the asking browser's cookie value. */
  device: string;
  /** HMAC of the network of the program that asked; null for a browser. */
  network: string | null;
  /** Keyed hash; null until sent. */
  code: string | null;
  tries: Generated<number>;
  created_at: Date;
  expires_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    sign_in_codes: SignInCodesTable;
  }
}
