import type { Generated } from 'kysely';
import type { ContactState } from './contract.ts';

/** What came in by the contact form. */
export interface ContactMessagesTable {
  id: string;
  /** Of the form that it was sent with: each sends once. */
  form_id: string;
  /** Who was signed in as it was sent. */
  person_id: string | null;
  /** In the clear; only what an earlier release has written, as with the other words. */
  name: Generated<string>;
  sealed_name: string | null;
  /** In the clear: a person's export and the erasure of an account find their messages by it. */
  email: string;
  subject: Generated<string>;
  sealed_subject: string | null;
  message: Generated<string>;
  sealed_message: string | null;
  sent_at: Date;
  state: Generated<ContactState>;
  closed_at: Date | null;
  closed_by: string | null;
  /** For those who answer. */
  note: Generated<string>;
  sealed_note: string | null;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    contact_messages: ContactMessagesTable;
  }
}
