import type { ColumnType, Generated } from 'kysely';
import type { SettingChange } from './contract.ts';
import type { SettingId, settings, SiteSettings } from './rules.ts';

type SettingColumns = {
  [Id in SettingId as (typeof settings)[Id]['column']]: Generated<SiteSettings[Id]>;
};

/** Single row; units as in the administrator spec. */
export interface SiteSettingsTable extends SettingColumns {
  id: Generated<boolean>;
  version: Generated<number>;
}

interface SiteSettingsHistoryTable {
  version: number;
  changed_at: Date;
  kind: 'saved' | 'reset';
  actor_kind: 'person' | 'system';
  changed_by: string | null;
  changes: ColumnType<SettingChange[], string>;
}

declare module '#/platform/context.ts' {
  interface Database {
    site_settings: SiteSettingsTable;
    site_settings_history: SiteSettingsHistoryTable;
  }
}
