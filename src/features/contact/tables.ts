import type { Generated } from 'kysely';
import type { ContactState } from './contract.ts';

export interface ContactMessagesTable {
  id: string;
  /** Each form sends once. */
  form_id: string;
  person_id: string | null;
  /** Plaintext columns: written only by earlier releases. */
  name: Generated<string>;
  sealed_name: string | null;
  /** Clear: export and erasure search by address. */
  email: string;
  subject: Generated<string>;
  sealed_subject: string | null;
  message: Generated<string>;
  sealed_message: string | null;
  sent_at: Date;
  state: Generated<ContactState>;
  closed_at: Date | null;
  closed_by: string | null;
  /** Internal note. */
  note: Generated<string>;
  sealed_note: string | null;
}

export interface ContactAnswersTable {
  id: string;
  message_id: string;
  author_id: string | null;
  sealed_text: string;
  written_at: Date;
  /** Of the message; undo restores it. */
  state_before: ContactState | null;
  /** When its email was queued, which ends undo. */
  mailed_at: Date | null;
}

declare module '#/platform/context.ts' {
  interface Database {
    contact_messages: ContactMessagesTable;
    contact_answers: ContactAnswersTable;
  }
}
