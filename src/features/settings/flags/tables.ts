import type { Generated } from 'kysely';
import type { Role } from '#/kernel/actor.ts';
import type { FlagCategory, FlagId, FlagScope } from './contract.ts';

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
    feature_flags: FeatureFlagsTable;
    feature_flag_users: FeatureFlagUsersTable;
  }
}
