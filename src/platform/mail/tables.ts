import type { ColumnType } from 'kysely';

/** A mail, written once under its key. `sent_at` stays null without a mail server; what was sent keeps no content. */
export interface MailsTable {
  id: string;
  key: string;
  recipient: string;
  reply_to: string | null;
  subject: string;
  text_body: string;
  html_body: string;
  attachments: ColumnType<MailAttachment[], string, string>;
  request_id: string;
  /** Goes into the headers of mails that one can do without. */
  unsubscribe_url: string | null;
  created_at: Date;
  sent_at: Date | null;
}

/** A text file that goes with a mail; an invitation's type names its method: `text/calendar; method=REQUEST`. */
export interface MailAttachment {
  filename: string;
  contentType: string;
  content: string;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    mails: MailsTable;
  }
}
