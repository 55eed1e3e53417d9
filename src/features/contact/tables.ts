import type { Generated } from 'kysely';
import type { ContactState } from './contract.ts';

/** What came in by the contact form. */
export interface ContactMessagesTable {
  id: string;
  /** Of the form that it was sent with: each sends once. */
  form_id: string;
  /** Who was signed in as it was sent. */
  person_id: string | null;
  name: string;
  email: string;
  subject: string;
  message: string;
  sent_at: Date;
  state: Generated<ContactState>;
  closed_at: Date | null;
  closed_by: string | null;
  /** For those who answer. */
  note: Generated<string>;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    contact_messages: ContactMessagesTable;
  }
}
