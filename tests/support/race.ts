import { AppError } from '#/kernel/errors.ts';
import type { Recurrence } from '#/features/appointments/appointment/contract.ts';

export interface Attempt {
  client: number;
  startsAt: string;
  durationMinutes: number;
  recurrence: Recurrence;
}

/** An attempt's result: `won`, the refusal's reason, or `defect` for anything else. */
export interface Outcome extends Attempt {
  ended: string;
  offered: number;
  milliseconds: number;
}

export function manyForEach(people: number, starts: readonly string[]): Attempt[] {
  const lengths = [30, 60, 90];
  return starts.flatMap((startsAt, index) =>
    Array.from({ length: people }, (_, person) => ({
      client: index * people + person,
      startsAt,
      durationMinutes: lengths[(person + index) % 3]!,
      recurrence: 'one_time' as const,
    })),
  );
}

/** Runs all attempts, up to `inFlight` concurrently; `book` throws an AppError or the API client's version of it. */
export async function race(
  attempts: readonly Attempt[],
  inFlight: number,
  book: (attempt: Attempt, index: number) => Promise<unknown>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const runner = async (): Promise<void> => {
    for (let index = next++; index < attempts.length; index = next++) {
      const attempt = attempts[index]!;
      const began = performance.now();
      const end = await book(attempt, index).then(
        () => ({ ended: 'won', offered: 0 }),
        (error: unknown) => ({ ended: reasonOf(error), offered: offeredBy(error) }),
      );
      outcomes.push({ ...attempt, ...end, milliseconds: performance.now() - began });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, runner));
  return outcomes;
}

function reasonOf(error: unknown): string {
  if (error instanceof AppError) return `${error.code} ${error.reason}`;
  return `defect ${error instanceof Error ? error.message : String(error)}`;
}

function offeredBy(error: unknown): number {
  const next = error instanceof AppError ? error.data.nextFreeStarts : null;
  return Array.isArray(next) ? next.length : 0;
}

export function tally(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { ended } of outcomes) counts[ended] = (counts[ended] ?? 0) + 1;
  return counts;
}

/** Finds overlapping appointments per provider (buffer included) or participant; must return no rows. */
export const overlapsSql = `
  select a.id from appointments a join appointments b on a.provider_id = b.provider_id and a.id < b.id
   where a.status in ('pending', 'confirmed') and b.status in ('pending', 'confirmed')
     and tstzrange(a.starts_at, a.blocked_until) && tstzrange(b.starts_at, b.blocked_until)
  union all
  select a.appointment_id from participants a
    join participants b on a.person_id = b.person_id and a.appointment_id < b.appointment_id
   where a.held and b.held and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)`;
