import type { Generated } from 'kysely';

export interface ConversationsTable {
  id: string;
  client_id: string;
  provider_id: string;
  /** Sealed. */
  subject: string | null;
  opened_at: Date;
  last_seq: Generated<number>;
  last_at: Date;
  client_read_seq: Generated<number>;
  provider_read_seq: Generated<number>;
  /** Unread by that member. */
  client_unread: Generated<number>;
  provider_unread: Generated<number>;
}

export interface MessagesTable {
  id: string;
  conversation_id: string;
  seq: number;
  client_id: string;
  provider_id: string;
  /** False: written by the provider. */
  from_client: boolean;
  /** Sealed. */
  text: string | null;
  attachments: Generated<number>;
  sent_at: Date;
}

export interface MessageDraftsTable {
  id: string;
  conversation_id: string;
  from_client: boolean;
  /** Sealed. */
  text: string;
  changed_at: Date;
}

/** Emailed about unread messages; read nothing since. */
export interface MessageMailsTable {
  person_id: string;
  mailed_at: Date;
}

/** Shares its id with a `files` row. */
interface AttachmentsTable {
  id: string;
  conversation_id: string;
  uploaded_by: string;
  /** Encrypted. */
  name: string;
  /** Pixels; images only. */
  width: number | null;
  height: number | null;
  /** Null until sent. */
  message_id: string | null;
  /** Position within the message, from 1. */
  ordinal: number | null;
  uploaded_at: Date;
}

interface EmergencyAccessesTable {
  id: string;
  conversation_id: string;
  opened_by: string;
  session_id: string;
  /** Sealed. */
  reason: string | null;
  opened_at: Date;
  ends_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    conversations: ConversationsTable;
    messages: MessagesTable;
    message_drafts: MessageDraftsTable;
    message_mails: MessageMailsTable;
    attachments: AttachmentsTable;
    emergency_accesses: EmergencyAccessesTable;
  }
}
