/** How a program's sign-in began. */
export type Method = 'password' | 'otp' | 'recovery' | 'oauth' | 'web3';

/** Columns that only programs' sessions have. */
export interface ProgramSessionsTable {
  session_id: string;
  method: Method;
  /** The second factor's last code; null without one. */
  factor_at: Date | null;
  /** Until then, a password can be set once without proof. Null unless it began with a recovery link. */
  recovers_until: Date | null;
}

/** Refresh tokens; each session has one valid one. */
export interface ProgramTokensTable {
  /** SHA-256. */
  token: string;
  session_id: string;
  /** Null for the one that works. */
  used_at: Date | null;
}

/** A sign-in before its code or second factor. */
export interface ProgramSignInsTable {
  id: string;
  /** Null while the provider hasn't answered or the sign-up isn't confirmed. */
  user_id: string | null;
  method: Method;
  /** SHA-256 of the password hash that matched. */
  password: string | null;
  /** The emailed code. */
  code_id: string | null;
  /** SHA-256 of the program's secret. Null once it waits for its second factor. */
  challenge: string | null;
  redirect: string | null;
  /** SHA-256. Null until the link was followed, or the provider answered. */
  code: string | null;
  sign_up_id: string | null;
  /** The linked identity that signs in. */
  identity_id: string | null;
  /** The connecting session; null for sign-ins. */
  session_id: string | null;
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
