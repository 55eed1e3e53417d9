import type { BookInput } from '#/features/appointments/booking/contract.ts';
import { newId } from '#/platform/clock.ts';

/** A client's booking of one online hour, with the test's changes. */
export function bookInputFor(
  providerId: string,
  serviceId: string,
  startsAt: string,
  change: Partial<BookInput> = {},
): BookInput {
  return {
    idempotencyKey: newId(),
    providerId,
    serviceId,
    startsAt,
    durationMinutes: 60,
    sessionType: 'online',
    recurrence: 'one_time',
    sessions: 4,
    contact: { name: 'Ruth', email: 'ruth@people.example' },
    reminderMinutes: 15,
    timeZone: 'America/Chicago',
    ...change,
  };
}
