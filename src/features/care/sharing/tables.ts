/** No row: nothing is shared. */
interface SharesTable {
  client_id: string;
  provider_id: string;
  /** Focus areas and tradition. */
  profile: boolean;
  goals: boolean;
  progress: boolean;
  changed_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    shares: SharesTable;
  }
}
