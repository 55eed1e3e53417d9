import type { ColumnType } from 'kysely';
import type { SettingChange } from '../contract.ts';

export interface SiteSettingsHistoryTable {
  version: number;
  changed_at: Date;
  kind: 'saved' | 'reset';
  actor_kind: 'person' | 'system';
  changed_by: string | null;
  changes: ColumnType<SettingChange[], string>;
}

declare module '#/platform/context.ts' {
  interface Database {
    site_settings_history: SiteSettingsHistoryTable;
  }
}
