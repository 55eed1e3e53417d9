/** A sign-up that waits until its address is confirmed. It is no account yet, and its password opens nothing. */
export interface SignUpsTable {
  id: string;
  /** In lower case. */
  email: string;
  name: string;
  /** An Argon2id hash. */
  password: string;
  /** SHA-256 of what the browser that signed up keeps in a cookie. */
  proof: string;
  created_at: Date;
  expires_at: Date;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    sign_ups: SignUpsTable;
  }
}
