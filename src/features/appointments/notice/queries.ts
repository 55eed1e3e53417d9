import type { Ctx } from '#/platform/context.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import { hideFromPlanner } from '#/platform/db/hide-from-planner.ts';
import { requireBackground } from '#/features/access/policies.ts';
import type { AppointmentView } from '../appointment/contract.ts';
import { appointmentColumns, withReasons } from '../appointment/queries.ts';
import { requireAppointment } from '../appointment/policies.ts';

interface NoticePerson {
  id: string;
  name: string;
  /** The account's email, not the booking form's. */
  email: string;
  timeZone: string;
  keepDiscreet: boolean;
}

export interface AppointmentNotice extends Pick<
  AppointmentView,
  | 'id'
  | 'bookingId'
  | 'seriesIndex'
  | 'seriesCount'
  | 'status'
  | 'kind'
  | 'sessionType'
  | 'service'
  | 'reminderMinutes'
  | 'sequence'
  | 'cancelReason'
> {
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  createdAt: Temporal.Instant;
  updatedAt: Temporal.Instant;
  /** `contact`: as entered for this booking. */
  client: NoticePerson & { contact: { name: string; email: string; phone: string | null } };
  provider: NoticePerson & {
    kind: 'doctor' | 'pastor';
    title: string;
    location: string;
    phone: string | null;
  };
}

/** Loads an appointment for notifications. Skips ownership checks, so jobs and the system only. */
export async function appointmentNotice(ctx: Ctx, appointmentId: string): Promise<AppointmentNotice> {
  const row = await noticeRows(ctx)
    .where('appointments.id', '=', hideFromPlanner(appointmentId, 'uuid'))
    .executeTakeFirst();
  return noticeOf(withReasons(ctx, requireAppointment(row)));
}

/** Loads several appointments, sorted by start. Unlike `appointmentNotice`, doesn't decrypt reasons. */
export async function appointmentNotices(ctx: Ctx, ids: readonly string[]): Promise<AppointmentNotice[]> {
  const rows = await noticeRows(ctx).where('appointments.id', 'in', ids).orderBy('starts_at').execute();
  return rows.map(noticeOf);
}

/** Returns a booking's sessions in series order. */
export async function bookingNotices(ctx: Ctx, bookingId: string): Promise<AppointmentNotice[]> {
  requireBackground(ctx, 'appointment');
  const rows = await bookingRows(ctx.db, { bookingId });
  return rows.map((row) => noticeOf(withReasons(ctx, row)));
}

const bookingRows = compiledOnce((db, { bookingId }: { bookingId: string }) =>
  joinedRows({ db }).where('booking_id', '=', hideFromPlanner(bookingId, 'uuid')).orderBy('series_index'),
);

function noticeRows(ctx: Ctx) {
  requireBackground(ctx, 'appointment');
  return joinedRows(ctx);
}

function joinedRows({ db }: Pick<Ctx, 'db'>) {
  return db
    .selectFrom('appointments')
    .innerJoin('services', 'services.id', 'appointments.service_id')
    .innerJoin('providers', 'providers.id', 'appointments.provider_id')
    .innerJoin('users as provider_user', 'provider_user.id', 'appointments.provider_id')
    .innerJoin('profiles as provider_profile', 'provider_profile.id', 'appointments.provider_id')
    .innerJoin('users as client_user', 'client_user.id', 'appointments.client_id')
    .innerJoin('profiles as client_profile', 'client_profile.id', 'appointments.client_id')
    .select(appointmentColumns)
    .select([
      'services.title as service_title',
      'providers.kind as provider_kind',
      'providers.title as provider_title',
      'providers.location as provider_location',
      'providers.phone as provider_phone',
      'providers.time_zone as provider_time_zone',
      'provider_user.email as provider_email',
      'provider_profile.full_name as provider_name',
      'provider_profile.keep_discreet as provider_discreet',
      'client_user.email as client_email',
      'client_profile.full_name as client_name',
      'client_profile.keep_discreet as client_discreet',
    ])
    .select(({ fn }) =>
      fn.coalesce('client_profile.time_zone', 'appointments.client_time_zone').as('client_zone'),
    );
}

type NoticeRow = Omit<
  Awaited<ReturnType<ReturnType<typeof noticeRows>['executeTakeFirstOrThrow']>>,
  'sealed_cancel_reason' | 'sealed_moved_reason'
>;

function noticeOf(row: NoticeRow): AppointmentNotice {
  return {
    id: row.id,
    bookingId: row.booking_id,
    seriesIndex: row.series_index,
    seriesCount: row.series_count,
    status: row.status,
    kind: row.kind,
    sessionType: row.session_type,
    service: { id: row.service_id, title: row.service_title },
    reminderMinutes: row.reminder_minutes,
    sequence: row.sequence,
    cancelReason: row.cancel_reason,
    startsAt: instantOf(row.starts_at),
    endsAt: instantOf(row.ends_at),
    createdAt: instantOf(row.created_at),
    updatedAt: instantOf(row.updated_at),
    client: {
      id: row.client_id,
      name: row.client_name,
      email: row.client_email,
      timeZone: row.client_zone,
      keepDiscreet: row.client_discreet,
      contact: { name: row.contact_name, email: row.contact_email, phone: row.contact_phone },
    },
    provider: {
      id: row.provider_id,
      name: row.provider_name,
      email: row.provider_email,
      timeZone: row.provider_time_zone,
      keepDiscreet: row.provider_discreet,
      kind: row.provider_kind,
      title: row.provider_title,
      location: row.provider_location,
      phone: row.provider_phone,
    },
  };
}

function instantOf(date: Date): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(date.getTime());
}
