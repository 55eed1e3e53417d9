/** A link that was mailed to a record's address. */
interface ClientClaimsTable {
  /** SHA-256 of what is secret in the link, base64url. */
  token_hash: string;
  person_id: string;
  expires_at: Date;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    client_claims: ClientClaimsTable;
  }
}
