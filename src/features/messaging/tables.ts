import type { Generated } from 'kysely';

/** What one client and one provider write to each other. */
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
  /** How many of the other's messages lie beyond what was read. */
  client_unread: Generated<number>;
  provider_unread: Generated<number>;
}

/** One message. */
export interface MessagesTable {
  id: string;
  conversation_id: string;
  seq: number;
  client_id: string;
  provider_id: string;
  /** Else it is the provider's. */
  from_client: boolean;
  /** Sealed. */
  text: string | null;
  /** How many files it brings. */
  attachments: Generated<number>;
  sent_at: Date;
}

/** What one of the two has begun to write. */
export interface MessageDraftsTable {
  id: string;
  conversation_id: string;
  from_client: boolean;
  /** Sealed. */
  text: string;
  changed_at: Date;
}

/** Who was mailed about something unread and has read nothing since. */
export interface MessageMailsTable {
  person_id: string;
  mailed_at: Date;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    conversations: ConversationsTable;
    messages: MessagesTable;
    message_drafts: MessageDraftsTable;
    message_mails: MessageMailsTable;
  }
}
