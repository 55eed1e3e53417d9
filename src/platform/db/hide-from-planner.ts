import { sql, type RawBuilder } from 'kysely';

/**
 * Hides a value from the planner, so PostgreSQL plans the statement once. With visible values, custom plans of large
 * tables are the same as the generic plan but look cheaper, so every statement would be planned again.
 */
export function hideFromPlanner<T>(value: T, type: 'uuid' | 'timestamptz' | 'bigint'): RawBuilder<T> {
  return sql<T>`(select ${value}::${sql.raw(type)})`;
}
