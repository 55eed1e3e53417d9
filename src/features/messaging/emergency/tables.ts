export interface EmergencyAccessesTable {
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
    emergency_accesses: EmergencyAccessesTable;
  }
}
