/** A confirmed number that gets sign-in codes by text, at most one per account. */
export interface SignInPhonesTable {
  user_id: string;
  /** E.164, of one account only. */
  number: string;
  created_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    sign_in_phones: SignInPhonesTable;
  }
}
