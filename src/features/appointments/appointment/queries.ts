import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { isProvider } from '#/kernel/actor.ts';
import { invalidField } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { hideFromPlanner } from '#/platform/db/hide-from-planner.ts';
import { sealedColumn as column } from '#/platform/sealed-column.ts';
import { authorize, type Self, selfOf } from '#/features/access/rules.ts';
import { photoPath } from '#/features/accounts/queries.ts';
import { isUnclaimed, knownAddress } from '#/features/accounts/rules.ts';
import { offers } from '#/features/settings/flags/queries.ts';
import { requireBackground } from '#/features/access/policies.ts';
import type { AppointmentStatus, AppointmentView } from './contract.ts';
import { bookingSettings, placeRows, type ViewNames } from '../offer/queries.ts';
import { allowedActions } from './rules.ts';
import type { Appointment, AppointmentsTable } from './tables.ts';
import { type OwnAppointmentId, type Membership, partyTo } from './policies.ts';

const longestSession = 4 * 3_600_000;

/** Encrypted columns, with each one's binding. */
export const sealed = {
  cancelReason: column('appointments', 'sealed_cancel_reason'),
  movedReason: column('appointments', 'sealed_moved_reason'),
} as const;

type Reasons = Pick<
  Appointment,
  'id' | 'cancel_reason' | 'sealed_cancel_reason' | 'moved_reason' | 'sealed_moved_reason'
>;

export function withReasons<Row extends Reasons>(
  { keyring }: Pick<Ctx, 'keyring'>,
  row: Row,
): Omit<Row, 'sealed_cancel_reason' | 'sealed_moved_reason'> {
  const { sealed_cancel_reason, sealed_moved_reason, ...rest } = row;
  return {
    ...rest,
    cancel_reason: sealed.cancelReason.openOrClear(keyring, row.id, sealed_cancel_reason, row.cancel_reason),
    moved_reason: sealed.movedReason.openOrClear(keyring, row.id, sealed_moved_reason, row.moved_reason),
  };
}

/** A person's active sessions. For jobs only. */
export async function sessionsToCome(
  ctx: Ctx,
  personId: string,
): Promise<{ own: Membership; row: Appointment }[]> {
  requireBackground(ctx, 'appointment');
  const rows = await ctx.db
    .selectFrom('appointments')
    .selectAll()
    .where(({ or, eb }) => or([eb('client_id', '=', personId), eb('provider_id', '=', personId)]))
    .where('status', 'in', ['pending', 'confirmed'])
    .where('ends_at', '>', new Date(ctx.now().epochMilliseconds))
    .orderBy('starts_at')
    .execute();
  return rows.map((row) => ({
    own: partyTo(row, personId),
    row,
  }));
}

export async function countToCome(ctx: Ctx, personId: string): Promise<number> {
  authorize(ctx.actor, ['manage_appointments', 'manage_users']);
  const { count } = await ctx.db
    .selectFrom('appointments')
    .where(({ or, eb }) => or([eb('client_id', '=', personId), eb('provider_id', '=', personId)]))
    .where('status', 'in', ['pending', 'confirmed'])
    .where('ends_at', '>', new Date(ctx.now().epochMilliseconds))
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Statements with `*` aren't prepared. */
export const appointmentColumns = [
  'appointments.id',
  'appointments.booking_id',
  'appointments.series_index',
  'appointments.series_count',
  'appointments.client_id',
  'appointments.provider_id',
  'appointments.service_id',
  'appointments.status',
  'appointments.kind',
  'appointments.session_type',
  'appointments.place_id',
  'appointments.starts_at',
  'appointments.ends_at',
  'appointments.blocked_until',
  'appointments.local_date',
  'appointments.price_cents',
  'appointments.contact_name',
  'appointments.contact_email',
  'appointments.contact_phone',
  'appointments.client_time_zone',
  'appointments.sequence',
  'appointments.reminder_minutes',
  'appointments.cancelled_by',
  'appointments.cancel_reason',
  'appointments.sealed_cancel_reason',
  'appointments.moved_reason',
  'appointments.sealed_moved_reason',
  'appointments.expired',
  'appointments.created_at',
  'appointments.updated_at',
] as const satisfies readonly `appointments.${keyof AppointmentsTable}`[];

/** Unfiltered; callers must restrict to own appointments. */
function viewRows(ctx: Ctx) {
  return ctx.db
    .selectFrom('appointments')
    .innerJoin('services', 'services.id', 'appointments.service_id')
    .innerJoin('providers', 'providers.id', 'appointments.provider_id')
    .innerJoin('profiles', 'profiles.id', 'appointments.provider_id')
    .select(appointmentColumns)
    .select([
      'services.title as service_title',
      'profiles.full_name as provider_name',
      'providers.title as provider_title',
      'providers.kind as provider_kind',
      'providers.time_zone as provider_time_zone',
      'providers.location as provider_location',
      'profiles.photo_id as provider_photo_id',
      jsonObjectFrom(placeRows(ctx).where('places.id', '=', sql.ref<string>('appointments.place_id'))).as(
        'place',
      ),
    ])
    .select(({ selectFrom }) =>
      selectFrom('profiles as client')
        .whereRef('client.id', '=', 'appointments.client_id')
        .select('client.photo_id')
        .as('client_photo_id'),
    )
    .select(({ selectFrom }) =>
      selectFrom('users as client')
        .whereRef('client.id', '=', 'appointments.client_id')
        .select('client.email')
        .as('client_address'),
    )
    .select(({ ref }) =>
      offers('direct_messaging', { id: ref('providers.id'), kind: ref('providers.kind') }).as(
        'takes_messages',
      ),
    );
}

/** The client's photo and account email are loaded only for the provider's view. */
type ViewRow = Appointment & ViewNames & { client_photo_id?: string | null; client_address?: string | null };

type OpenedRow = Omit<ViewRow, 'sealed_cancel_reason' | 'sealed_moved_reason'>;

/** Builds a party's view of an appointment; `now` in epoch milliseconds. */
export function viewOf(
  row: OpenedRow,
  self: Self,
  now: number,
  cancellationDeadlineHours: number,
): AppointmentView {
  const party = row.client_id === self ? 'client' : 'provider';
  const start = row.starts_at.getTime();
  const end = row.ends_at.getTime();
  return {
    id: row.id,
    bookingId: row.booking_id,
    seriesIndex: row.series_index,
    seriesCount: row.series_count,
    status: row.status,
    kind: row.kind,
    sessionType: row.session_type,
    startsAt: isoOf(start),
    endsAt: isoOf(end),
    durationMinutes: (end - start) / 60_000,
    priceCents: row.price_cents,
    service: { id: row.service_id, title: row.service_title },
    provider: {
      id: row.provider_id,
      name: row.provider_name,
      title: row.provider_title,
      kind: row.provider_kind,
      timeZone: row.provider_time_zone,
      location: row.place ? `${row.place.name}, ${row.place.address}` : row.provider_location,
      place: row.place && placeOf(row.place),
      photoUrl: photoPath(row.provider_photo_id),
      takesMessages: row.takes_messages,
    },
    client:
      party === 'client'
        ? null
        : {
            id: row.client_id,
            name: row.contact_name,
            email: knownAddress(row.contact_email),
            phone: row.contact_phone,
            photoUrl: photoPath(row.client_photo_id ?? null),
            takesMessages: !isUnclaimed({ email: row.client_address ?? '' }),
          },
    calledAt: row.session_type === 'phone' ? row.contact_phone : null,
    reminderMinutes: row.reminder_minutes,
    sequence: row.sequence,
    cancelReason: row.cancel_reason,
    movedReason: row.moved_reason,
    byAdministrator:
      row.status === 'cancelled'
        ? row.cancelled_by !== null && ![row.client_id, row.provider_id].includes(row.cancelled_by)
        : row.moved_reason !== null,
    expired: row.expired,
    actions: allowedActions({
      appointment: { status: row.status, kind: row.kind, start, end },
      party,
      now,
      cancellationDeadlineHours,
    }),
  };
}

function placeOf({ name, address, directions, latitude, longitude }: NonNullable<ViewNames['place']>) {
  return { name, address, directions, latitude, longitude };
}

async function viewsOf(ctx: Ctx, self: Self, rows: readonly ViewRow[]): Promise<AppointmentView[]> {
  if (rows.length === 0) return [];
  const { cancellationDeadlineHours } = await bookingSettings(ctx);
  const now = ctx.now().epochMilliseconds;
  const views = rows.map((row) => viewOf(withReasons(ctx, row), self, now, cancellationDeadlineHours));
  const { actor } = ctx;
  if (actor.kind !== 'person') return views;
  // No API token may read people's messages.
  const unread = actor.scopes && { cancelReason: null, movedReason: null };
  return views.map((view) => {
    const former = view.client && !isProvider(actor.role);
    const unreachable = former && { client: { ...view.client!, email: null, phone: null }, calledAt: null };
    return { ...view, ...unread, ...unreachable };
  });
}

export async function appointmentView(ctx: Ctx, id: OwnAppointmentId): Promise<AppointmentView> {
  const row = await viewRows(ctx)
    .where('appointments.id', '=', hideFromPlanner(id, 'uuid'))
    .executeTakeFirstOrThrow();
  return (await viewsOf(ctx, selfOf(ctx), [row]))[0]!;
}

/** Filters to own appointments; unordered. */
export async function ownAppointments(
  ctx: Ctx,
  self: Self,
  ids: readonly string[],
): Promise<AppointmentView[]> {
  if (ids.length === 0) return [];
  const rows = await viewRows(ctx)
    .where('appointments.id', 'in', ids)
    .where(({ or, eb }) => or([eb('client_id', '=', self), eb('provider_id', '=', self)]))
    .execute();
  return viewsOf(ctx, self, rows);
}

/** A booking's own sessions in series order. */
export async function bookedSessions(ctx: Ctx, self: Self, bookingId: string): Promise<AppointmentView[]> {
  const rows = await viewRows(ctx)
    .where('booking_id', '=', bookingId)
    .where(({ or, eb }) => or([eb('client_id', '=', self), eb('provider_id', '=', self)]))
    .orderBy('series_index')
    .execute();
  return viewsOf(ctx, self, rows);
}

interface MineQuery {
  from: string;
  to: string;
  status?: AppointmentStatus | undefined;
  order?: 'ascending' | 'descending';
  /** Cursor: set both or neither. */
  lastStart?: string | undefined;
  lastId?: string | undefined;
  limit: number;
}

/** A person's appointments in the range, by start. */
export async function myAppointments(
  ctx: Ctx,
  self: Self,
  { from, to, status, order, lastStart, lastId, limit }: MineQuery,
): Promise<AppointmentView[]> {
  const after = Temporal.Instant.from(from).epochMilliseconds;
  const direction = order === 'descending' ? 'desc' : 'asc';
  const beyond = sql.raw(order === 'descending' ? '<' : '>');
  if ((lastStart === undefined) !== (lastId === undefined)) {
    throw invalidField(lastId === undefined ? 'lastId' : 'lastStart', 'required');
  }
  // Separate queries use their indexes and read one page each; an OR would scan everything.
  const idsAs = (side: 'client_id' | 'provider_id') =>
    ctx.db
      .selectFrom('appointments')
      .select('id')
      .where(side, '=', hideFromPlanner(self, 'uuid'))
      // Redundant bound that lets indexes on start times narrow the range.
      .where('starts_at', '>', hideFromPlanner(new Date(after - longestSession), 'timestamptz'))
      .where('ends_at', '>', hideFromPlanner(new Date(after), 'timestamptz'))
      .where('starts_at', '<', hideFromPlanner(instantDate(to), 'timestamptz'))
      .$if(status !== undefined, (rows) => rows.where('status', '=', status!))
      .$if(lastStart !== undefined, (rows) =>
        rows.where(sql<boolean>`(starts_at, id) ${beyond} (${instantDate(lastStart!)}, ${lastId!}::uuid)`),
      )
      .orderBy('starts_at', direction)
      .orderBy('id', direction)
      .limit(hideFromPlanner(limit, 'bigint'));
  const ids = ctx.db
    .selectFrom(idsAs('client_id').as('as_client'))
    .select('id')
    .unionAll(ctx.db.selectFrom(idsAs('provider_id').as('as_provider')).select('id'));
  const rows = await viewRows(ctx)
    .where('appointments.id', 'in', ids)
    .orderBy('starts_at', direction)
    .orderBy('appointments.id', direction)
    .limit(hideFromPlanner(limit, 'bigint'))
    .execute();
  return viewsOf(ctx, self, rows);
}

function instantDate(iso: string): Date {
  return new Date(Temporal.Instant.from(iso).epochMilliseconds);
}
