import type { ColumnType, Generated } from 'kysely';
import type { SettingChange } from './contract.ts';
import type { SettingId, settings, SiteSettings } from './rules.ts';
import type { Role } from '#/kernel/actor.ts';
import type { FlagCategory, FlagId, FlagScope } from './flags/contract.ts';

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

/** Base data, one row per feature. */
export interface FeatureFlagsTable {
  id: FlagId;
  name: string;
  description: string;
  category: FlagCategory;
  enabled: boolean;
  scope: FlagScope;
  roles: Role[];
  experimental: Generated<boolean>;
  version: Generated<number>;
  modified_at: Date | null;
  modified_by: string | null;
}

export interface FeatureFlagUsersTable {
  flag_id: FlagId;
  person_id: string;
}

declare module '#/platform/context.ts' {
  interface Database {
    site_settings: SiteSettingsTable;
    site_settings_history: SiteSettingsHistoryTable;
    feature_flags: FeatureFlagsTable;
    feature_flag_users: FeatureFlagUsersTable;
  }
}
