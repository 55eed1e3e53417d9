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

declare module '#/platform/context.ts' {
  interface Database {
    author_keys: AuthorKeysTable;
  }
}
