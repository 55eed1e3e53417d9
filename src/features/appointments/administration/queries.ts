import { sql, type AliasableExpression, type SqlBool } from 'kysely';
import { invalidField } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { authorize } from '#/features/access/rules.ts';
import { usersMatching } from '#/features/accounts/names/queries.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import { statuses } from '../appointment/contract.ts';
import { bookingSettings } from '../offer/queries.ts';
import { allowedActions } from '../appointment/rules.ts';
import type { AdministeredAppointment, AppointmentSearch } from './contract.ts';
import { requireAppointment } from '../appointment/policies.ts';

export const longestSession = 4 * 3_600_000;
const upcoming = ['pending', 'confirmed'] as const;

export interface FoundAppointments {
  appointments: AdministeredAppointment[];
  more: boolean;
  manyPeople: boolean;
}

/** Searches all appointments; the caller logs the search. */
export async function searchAppointments(ctx: Ctx, search: AppointmentSearch): Promise<FoundAppointments> {
  authorize(ctx.actor, ['manage_appointments']);
  const { lastStart, lastId, limit } = search;
  if ((lastStart === undefined) !== (lastId === undefined)) {
    throw invalidField(lastId === undefined ? 'lastId' : 'lastStart', 'required');
  }
  const { personId } = search;
  const people =
    search.words !== undefined
      ? await peopleCalled(ctx, search.words)
      : personId === undefined
        ? null
        : [personId];
  if (people && people.length > maxPeople) return { appointments: [], more: false, manyPeople: true };
  const terms = { ...search, people, span: await spanOf(ctx, search) };
  const found = await matchingIds(ctx, terms)
    .limit(limit + 1)
    .execute();
  const appointments = await appointmentsOf(
    ctx,
    found.slice(0, limit).map(({ id }) => id),
  );
  return { appointments, more: found.length > limit, manyPeople: false };
}

export async function administeredAppointment(ctx: Ctx, id: string): Promise<AdministeredAppointment> {
  authorize(ctx.actor, ['manage_appointments']);
  const [found] = await appointmentsOf(ctx, [id]);
  return requireAppointment(found);
}

/** Counts upcoming sessions whose provider is suspended or no longer approved. */
export async function countSuspendedSessions(ctx: Ctx): Promise<number> {
  authorize(ctx.actor, ['manage_appointments']);
  const { n } = await ctx.db
    .selectFrom('appointments')
    .where('provider_id', 'in', suspendedProviders(ctx))
    .where('status', 'in', upcoming)
    .where('ends_at', '>', new Date(ctx.now().epochMilliseconds))
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

function suspendedProviders({ db }: Ctx) {
  return db
    .selectFrom('providers')
    .innerJoin('profiles', 'profiles.id', 'providers.id')
    .select('providers.id')
    .where(({ eb, or }) =>
      or([eb('suspended_at', 'is not', null), eb('approval_revoked_at', 'is not', null)]),
    );
}

/** Fetches one more than `maxPeople` to detect overflow. */
async function peopleCalled(ctx: Ctx, words: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    ${usersMatching(words.split(/\s+/))} limit ${maxPeople + 1}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

interface Span {
  from: Date | null;
  to: Date | null;
  notOver: Date | null;
}

async function spanOf(ctx: Ctx, { from, to, order }: AppointmentSearch): Promise<Span> {
  if (from !== undefined && to !== undefined && to < from) throw invalidField('to', 'before_from');
  const { timezone } = await siteSettings(ctx);
  const midnight = (date: string, days: number) =>
    new Date(Temporal.PlainDate.from(date).add({ days }).toZonedDateTime(timezone).epochMilliseconds);
  const now = ctx.now().epochMilliseconds;
  const coming = order === 'soonest' && from === undefined;
  return {
    from: from === undefined ? (coming ? new Date(now - longestSession) : null) : midnight(from, 0),
    to: to === undefined ? null : midnight(to, 1),
    notOver: coming ? new Date(now) : null,
  };
}

interface Terms extends AppointmentSearch {
  people: readonly string[] | null;
  span: Span;
}

/**
 * Returns one page of ids in order. Every branch (one person, each matching person, each status) walks an index on
 * start times and reads at most one page of rows.
 */
function matchingIds(ctx: Ctx, terms: Terms) {
  const { appointmentId, personId, suspended, people, status, order, span } = terms;
  const { lastStart, lastId, limit } = terms;
  const direction = order === 'latest' ? 'desc' : 'asc';
  const beyond = sql.raw(order === 'latest' ? '<' : '>');
  const wanted = (side: 'client_id' | 'provider_id' | 'status' | null, one: SqlOf) =>
    ctx.db
      .selectFrom('appointments')
      .select(['appointments.id', 'appointments.starts_at'])
      .$if(side !== null, (rows) => rows.where(sql<SqlBool>`appointments.${sql.ref(side!)} = ${one}`))
      .$if(appointmentId !== undefined, (rows) => rows.where('appointments.id', '=', appointmentId!))
      .$if(personId !== undefined, (rows) =>
        rows.where(({ or, eb }) => or([eb('client_id', '=', personId!), eb('provider_id', '=', personId!)])),
      )
      .$if(status !== undefined, (rows) => rows.where('appointments.status', '=', status!))
      .$if(suspended === true, (rows) =>
        rows.where('appointments.status', 'in', upcoming).where('provider_id', 'in', suspendedProviders(ctx)),
      )
      .$if(span.from !== null, (rows) => rows.where('starts_at', '>=', span.from!))
      .$if(span.to !== null, (rows) => rows.where('starts_at', '<', span.to!))
      .$if(span.notOver !== null, (rows) => rows.where('ends_at', '>', span.notOver!))
      .$if(lastStart !== undefined, (rows) =>
        rows.where(
          sql<SqlBool>`(starts_at, appointments.id) ${beyond} (${dateOf(lastStart!)}, ${lastId!}::uuid)`,
        ),
      )
      .orderBy('starts_at', direction)
      .orderBy('appointments.id', direction)
      .limit(limit + 1);
  const someone = sql`person.id`;
  const ofPeople = (side: 'client_id' | 'provider_id') =>
    ctx.db
      .selectFrom(sql<{ id: string }>`unnest(${people ?? []}::uuid[])`.as<'person'>(sql`person(id)`))
      .innerJoinLateral(wanted(side, someone).as('found'), (join) => join.onTrue())
      .select(['found.id', 'found.starts_at']);
  const ofSuspended = ctx.db
    .selectFrom(suspendedProviders(ctx).as('person'))
    .innerJoinLateral(wanted('provider_id', someone).as('found'), (join) => join.onTrue())
    .select(['found.id', 'found.starts_at']);
  const ofStatuses = ctx.db
    .selectFrom(
      sql<{ status: string }>`unnest(${status === undefined ? statuses : [status]}::text[])`.as<'one'>(
        sql`one(status)`,
      ),
    )
    .innerJoinLateral(wanted('status', sql`one.status`).as('found'), (join) => join.onTrue())
    .select(['found.id', 'found.starts_at']);
  const found: AliasableExpression<{ id: string; starts_at: Date }> = people
    ? // Removes duplicates: both parties can match.
      ofPeople('client_id').union(ofPeople('provider_id'))
    : appointmentId !== undefined
      ? wanted(null, someone)
      : suspended
        ? ofSuspended
        : ofStatuses;
  return ctx.db
    .selectFrom(found.as('found'))
    .select('found.id')
    .orderBy('found.starts_at', direction)
    .orderBy('found.id', direction);
}

type SqlOf = ReturnType<typeof sql>;

/** Returns appointments in the order of their ids. */
export async function appointmentsOf(ctx: Ctx, ids: readonly string[]): Promise<AdministeredAppointment[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('appointments')
    .innerJoin('services', 'services.id', 'appointments.service_id')
    .innerJoin('providers', 'providers.id', 'appointments.provider_id')
    .innerJoin('users as client', 'client.id', 'appointments.client_id')
    .innerJoin('users as provider', 'provider.id', 'appointments.provider_id')
    .select([
      'appointments.id',
      'appointments.status',
      'appointments.expired',
      'appointments.kind',
      'appointments.session_type',
      'appointments.starts_at',
      'appointments.ends_at',
      'appointments.series_index',
      'appointments.series_count',
      'appointments.service_id',
      'appointments.sequence',
      'appointments.client_id',
      'appointments.provider_id',
      'services.title as service_title',
      'client.name as client_name',
      'client.email as client_email',
      'provider.name as provider_name',
      'provider.email as provider_email',
      'providers.time_zone',
    ])
    .where('appointments.id', 'in', ids)
    .execute();
  const { cancellationDeadlineHours } = await bookingSettings(ctx);
  const now = ctx.now().epochMilliseconds;
  const byId = new Map(
    rows.map((row): [string, AdministeredAppointment] => {
      const [start, end] = [row.starts_at.getTime(), row.ends_at.getTime()];
      const appointment = { status: row.status, kind: row.kind, start, end };
      return [
        row.id,
        {
          id: row.id,
          status: row.status,
          expired: row.expired,
          sessionType: row.session_type,
          startsAt: isoOf(start),
          endsAt: isoOf(end),
          durationMinutes: (end - start) / 60_000,
          seriesIndex: row.series_index,
          seriesCount: row.series_count,
          service: { id: row.service_id, title: row.service_title },
          client: { id: row.client_id, name: row.client_name, email: row.client_email },
          provider: {
            id: row.provider_id,
            name: row.provider_name,
            email: row.provider_email,
            timeZone: row.time_zone,
          },
          sequence: row.sequence,
          actions: allowedActions({
            appointment,
            party: 'administrator',
            now,
            cancellationDeadlineHours,
          }).filter((action) => action === 'reschedule' || action === 'cancel'),
        },
      ];
    }),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function dateOf(iso: string): Date {
  return new Date(Temporal.Instant.from(iso).epochMilliseconds);
}

/** Maximum matching people; beyond that, narrow the search. */
const maxPeople = 50;
