/** A file for a conversation; its own row is the stored file's of the same id. */
export interface AttachmentsTable {
  id: string;
  conversation_id: string;
  uploaded_by: string;
  /** Sealed. */
  name: string;
  /** Of a picture, in pixels. */
  width: number | null;
  height: number | null;
  /** Null until it is sent. */
  message_id: string | null;
  /** Which one of its message's it is, from 1. */
  ordinal: number | null;
  uploaded_at: Date;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    attachments: AttachmentsTable;
  }
}
