/** Shares its id with a `files` row. */
export interface AttachmentsTable {
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

declare module '#/platform/context.ts' {
  interface Database {
    attachments: AttachmentsTable;
  }
}
