export interface ProgramKeysTable {
  /** The `kid` of tokens it signs. */
  id: string;
  /** JWK. */
  public_key: string;
  /** Encrypted JWK. */
  sealed_private_key: string;
  created_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    program_keys: ProgramKeysTable;
  }
}
