import { m } from '#/texts/messages.js';
import type { SessionType } from '#/features/providers/contract.ts';
import type { AppointmentView, Recurrence } from '../contract.ts';
import type { reminderChoices } from '../input/contract.ts';

/** One of the reminder choices, in minutes before the start. */
export type ReminderMinutes = (typeof reminderChoices)[number];

const sessionTypes: Readonly<Record<SessionType, () => string>> = {
  online: m.booking_type_online,
  phone: m.booking_type_phone,
  'in-person': m.booking_type_in_person,
};

const recurrences: Readonly<Record<Recurrence, () => string>> = {
  one_time: m.booking_one_time,
  weekly: m.booking_weekly,
  biweekly: m.booking_biweekly,
};

/** The reminders that can be chosen, soonest before the session first. */
export const reminders: readonly { minutes: ReminderMinutes; text: () => string }[] = [
  { minutes: 15, text: m.booking_reminder_15 },
  { minutes: 60, text: m.booking_reminder_60 },
  { minutes: 1440, text: m.booking_reminder_1440 },
  { minutes: 2880, text: m.booking_reminder_2880 },
  { minutes: 10080, text: m.booking_reminder_10080 },
];

/** A session type's label (client spec, section 9). */
export function sessionTypeText(type: SessionType): string {
  return sessionTypes[type]();
}

/** A recurrence's label (client spec, section 4). */
export function recurrenceText(recurrence: Recurrence): string {
  return recurrences[recurrence]();
}

/** A length as people read it, such as `60 minutes`. */
export function minutesText(minutes: number): string {
  return m.booking_minutes({ minutes });
}

/** Where a session takes place, for its parties. */
export function locationText(session: Pick<AppointmentView, 'sessionType' | 'provider'>): string {
  if (session.sessionType === 'online') return m.booking_location_online();
  if (session.sessionType === 'phone') return m.booking_location_phone();
  return session.provider.location || m.booking_location_in_person();
}

/** Who calls whom in a session by phone, for its parties. */
export function callText({
  client,
  provider,
  calledAt,
}: Pick<AppointmentView, 'client' | 'provider' | 'calledAt'>): string {
  if (client) return calledAt ? m.booking_call_yours() : m.booking_call_yours_unknown();
  return calledAt
    ? m.booking_call({ name: provider.name, number: calledAt })
    : m.booking_call_unknown({ name: provider.name });
}

/** What a session is called: its service and its place in a series. */
export function sessionTitle(
  session: Pick<AppointmentView, 'service' | 'seriesIndex' | 'seriesCount'>,
): string {
  const { service, seriesIndex, seriesCount } = session;
  if (seriesCount < 2) return service.title;
  return m.booking_series_title({ service: service.title, index: seriesIndex, count: seriesCount });
}

/** Why a session was cancelled, or moved by an administrator, where somebody said so. */
export function reasonText(
  session: Pick<AppointmentView, 'status' | 'cancelReason' | 'movedReason' | 'byAdministrator'>,
): string | null {
  const cancelled = session.status === 'cancelled';
  const reason = cancelled ? session.cancelReason : session.movedReason;
  if (!reason) return null;
  if (!session.byAdministrator) return m.booking_reason_given({ reason });
  return cancelled
    ? m.booking_reason_cancelled_for_both({ reason })
    : m.booking_reason_moved_for_both({ reason });
}
