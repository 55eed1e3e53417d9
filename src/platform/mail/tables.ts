import type { ColumnType, Generated } from 'kysely';
import type { MailKind } from '#/kernel/mail-kinds.ts';

/**
 * A mail, written once under its key. `sent_at` stays null without a mail server; what was sent keeps no content, what
 * couldn't be sent keeps it until an administrator has it sent again or dismisses it.
 */
export interface MailsTable {
  id: string;
  key: string;
  recipient: string;
  reply_to: string | null;
  /** In the clear; only what an earlier release has written, as with the rest of what it says. */
  subject: Generated<string>;
  text_body: Generated<string>;
  html_body: Generated<string>;
  attachments: ColumnType<MailAttachment[] | null, string | undefined, string | null>;
  unsubscribe_url: string | null;
  sealed_subject: string | null;
  sealed_text: string | null;
  sealed_html: string | null;
  /** A list as JSON; null where there are none. */
  sealed_attachments: string | null;
  /** Goes into the headers of mails that one can do without. */
  sealed_unsubscribe_url: string | null;
  request_id: string;
  /** Whether it goes before others. */
  urgent: boolean;
  created_at: Date;
  sent_at: Date | null;
  /** Until when a job has it to itself. */
  claimed_until: Date | null;
  /** When it was given up; null: it was sent, or is still tried. */
  failed_at: Date | null;
  /** Why: the code of the mail server's reply, with its enhanced code if it gave one, `no_answer` or `expired`. */
  fault: string | null;
  /** Null for those written before kinds were. */
  kind: MailKind | null;
  /** From when on it is of no use, such as when its link has expired. */
  expires_at: Date | null;
  /** When an administrator last had it sent again. */
  resent_at: Date | null;
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
