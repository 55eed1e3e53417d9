import { type Kysely, sql } from 'kysely';
import { expect } from 'vitest';
import type { ManagedService, ServiceInput } from '#/features/catalogue/contract.ts';
import type { Database } from '#/platform/context.ts';

let number = 0;
/** A service with a unique title. */
export function evenings(over: Partial<ServiceInput> = {}): ServiceInput {
  number += 1;
  return {
    title: `Marriage Evenings ${number}`,
    category: 'Strengthening Bonds',
    description: 'Three evenings for two.',
    durationMinutes: 75,
    priceCents: 9_000,
    ...over,
  };
}

export const seen = ({ id, version }: ManagedService) => ({ serviceId: id, version });

/** The service's audit log entries, oldest first. */
export async function serviceActs(
  db: Kysely<Database>,
  serviceId: string,
): Promise<[action: string, details: unknown][]> {
  const rows = await db
    .selectFrom('audit_entries')
    .select(['action', 'details', 'actor_id', 'category'])
    .where('action', 'like', 'service.%')
    .where(sql<boolean>`details ->> 'serviceId' = ${serviceId}`)
    .orderBy('id')
    .execute();
  expect(rows.every((row) => row.category === 'service_management' && row.actor_id !== null)).toBe(true);
  return rows.map(({ action, details }) => [action, details]);
}
