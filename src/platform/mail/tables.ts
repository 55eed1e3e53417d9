import type { ColumnType, Generated } from 'kysely';
import type { MailKind } from '#/kernel/mail-kinds.ts';

/**
 * An email, unique by key. `sent_at` stays null without a mail server. Content is erased once sent; failed emails keep
 * it until an administrator resends or dismisses them.
 */
export interface MailsTable {
  id: string;
  key: string;
  recipient: string;
  reply_to: string | null;
  /** Plaintext columns, filled only by earlier releases. */
  subject: Generated<string>;
  text_body: Generated<string>;
  html_body: Generated<string>;
  attachments: ColumnType<MailAttachment[] | null, string | undefined, string | null>;
  unsubscribe_url: string | null;
  sealed_subject: string | null;
  sealed_text: string | null;
  sealed_html: string | null;
  /** A JSON list, encrypted; null: none. */
  sealed_attachments: string | null;
  sealed_unsubscribe_url: string | null;
  request_id: string;
  urgent: boolean;
  created_at: Date;
  sent_at: Date | null;
  /** A job's exclusive claim. */
  claimed_until: Date | null;
  /** Null: sent, or still retrying. */
  failed_at: Date | null;
  fault: string | null;
  /** Null for emails older than this column. */
  kind: MailKind | null;
  expires_at: Date | null;
  resent_at: Date | null;
}

export interface MailAttachment {
  filename: string;
  contentType: string;
  content: string;
}

declare module '../context.ts' {
  interface Database {
    mails: MailsTable;
  }
}
