import type { Generated } from 'kysely';

export interface LinkedIdentitiesTable {
  id: string;
  user_id: string;
  /** The provider's id in the configuration. */
  provider: string;
  issuer: string;
  /** The provider's own id for the person; unique only together with `issuer`. */
  subject: string;
  /** The provider's latest value. */
  email: string | null;
  created_at: Date;
  used_at: Date | null;
}

export interface OpenidRequestsTable {
  /** SHA-256. */
  state: string;
  /** SHA-256 of the purpose and the browser's cookie or session id. */
  holder: string;
  provider: string;
  /** The page after sign-in. */
  next: string;
  /** The program's sign-in that the answer goes to; null for the browser's own. */
  sign_in_id: string | null;
  /** A SAML provider's post, encrypted until fetched. */
  response: string | null;
  /** When the browser came back, right or wrong. */
  answered_at: Date | null;
  issuer: string | null;
  subject: string | null;
  email: string | null;
  email_verified: Generated<boolean>;
  name: string | null;
  expires_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    linked_identities: LinkedIdentitiesTable;
    openid_requests: OpenidRequestsTable;
  }
}
