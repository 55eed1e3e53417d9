import type { Role, Scope } from '#/kernel/actor.ts';

export interface ApiTokensTable {
  id: string;
  user_id: string;
  name: string;
  /** SHA-256. */
  token: string;
  scopes: Scope[];
  /** Its owner's role at creation; invalid in any other. */
  role: Role;
  created_at: Date;
  expires_at: Date;
  /** To the minute; null if never. */
  used_at: Date | null;
}

declare module '#/platform/context.ts' {
  interface Database {
    api_tokens: ApiTokensTable;
  }
}
