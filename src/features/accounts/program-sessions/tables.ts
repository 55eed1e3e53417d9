/** How a program's sign-in began. */
export type Method = 'password' | 'otp';

/** What only programs' sessions have. */
export interface ProgramSessionsTable {
  session_id: string;
  method: Method;
  /** The second factor's last code; null without one. */
  factor_at: Date | null;
}

/** Refresh tokens; each session has one valid one. */
export interface ProgramTokensTable {
  /** SHA-256. */
  token: string;
  session_id: string;
  /** Null for the one that works. */
  used_at: Date | null;
}

/** A sign-in that waits for its second factor. */
export interface ProgramSignInsTable {
  id: string;
  user_id: string;
  method: Method;
  /** SHA-256 of the password hash that matched. */
  password: string | null;
  /** The emailed code. */
  code_id: string | null;
  created_at: Date;
  expires_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    program_sessions: ProgramSessionsTable;
    program_tokens: ProgramTokensTable;
    program_sign_ins: ProgramSignInsTable;
  }
}
