import { m } from '#/texts/messages.js';
import { dateIn, shortDateText, timeText } from '#/web/times.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import type { AppointmentView, Recurrence } from '../appointment/contract.ts';
import type { reminderChoices } from '../booking/contract.ts';

/** In minutes before the start. */
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

/** Reminder options, shortest first. */
export const reminders: readonly { minutes: ReminderMinutes; text: () => string }[] = [
  { minutes: 15, text: m.booking_reminder_15 },
  { minutes: 60, text: m.booking_reminder_60 },
  { minutes: 1440, text: m.booking_reminder_1440 },
  { minutes: 2880, text: m.booking_reminder_2880 },
  { minutes: 10080, text: m.booking_reminder_10080 },
];

/** Session type labels: client spec, section 9. */
export function sessionTypeText(type: SessionType): string {
  return sessionTypes[type]();
}

/** Recurrence labels: client spec, section 4. */
export function recurrenceText(recurrence: Recurrence): string {
  return recurrences[recurrence]();
}

/** Includes the year, for lists that span many. */
export function datedText(startsAt: string, zone: string): string {
  const year = dateIn(startsAt, zone).slice(0, 4);
  return `${shortDateText(startsAt, zone)}, ${year}, ${timeText(startsAt, zone)}`;
}

export function minutesText(minutes: number): string {
  return m.web_minutes({ minutes });
}

export function locationText(session: Pick<AppointmentView, 'sessionType' | 'provider'>): string {
  if (session.sessionType === 'online') return m.booking_location_online();
  if (session.sessionType === 'phone') return m.booking_location_phone();
  return session.provider.location || m.booking_location_in_person();
}

export function callText({
  client,
  provider,
  calledAt,
}: Pick<AppointmentView, 'client' | 'provider' | 'calledAt'>): string {
  if (client) return calledAt ? m.booking_call_yours() : m.booking_call_yours_unknown();
  return calledAt
    ? m.booking_call({ name: provider.name, number: calledAt.replaceAll(' ', '\u{a0}') })
    : m.booking_call_unknown({ name: provider.name });
}

export function sessionTitle(
  session: Pick<AppointmentView, 'service' | 'seriesIndex' | 'seriesCount'>,
): string {
  const { service, seriesIndex, seriesCount } = session;
  if (seriesCount < 2) return service.title;
  return m.booking_series_title({ service: service.title, index: seriesIndex, count: seriesCount });
}

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
