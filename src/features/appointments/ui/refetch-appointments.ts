import type { QueryClient } from '@tanstack/react-query';
import { api } from '#/web/api.tsx';

/** Refetches appointments, free times and the search results that show them. */
export async function refetchAppointments(queries: QueryClient): Promise<void> {
  const changed = [api.appointments.key(), api.specialistSearch.key()];
  await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
