interface ClientClaimsTable {
  /** SHA-256 of the token, base64url. */
  token_hash: string;
  person_id: string;
  expires_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    client_claims: ClientClaimsTable;
  }
}
