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

declare module '#/platform/context.ts' {
  interface Database {
    sign_ups: SignUpsTable;
  }
}
