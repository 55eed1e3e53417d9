import { sql } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { Self } from '#/features/access/rules.ts';
import { faithOf, photoPath } from '#/features/accounts/queries.ts';
import { knownAddress } from '#/features/accounts/rules.ts';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { ownAppointments } from '#/features/appointments/appointment/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { containsPattern } from '#/platform/db/like.ts';
import { addressDigest } from '#/platform/tokens.ts';
import type { Served } from './policies.ts';
import type { ClientOrder, ClientRecord, ClientView, ListedClient, SharedPart } from './contract.ts';

interface Page {
  limit: number;
  offset: number;
}

const orders: Readonly<Record<ClientOrder, string>> = {
  next: 'next_session nulls last, last_session desc nulls last',
  last: 'last_session desc nulls last, next_session nulls last',
  name: 'lower(full_name)',
};

/** Lists current and past clients. Skips through the index, so cost grows with clients, not sessions. */
export async function clientsOf(
  ctx: Ctx,
  self: Self,
  { search, order, limit, offset }: Page & { search: string; order: ClientOrder },
): Promise<{ clients: ListedClient[]; more: boolean }> {
  const now = new Date(ctx.now().epochMilliseconds);
  const marks = /\p{Mn}/gu;
  // Ignore diacritics.
  const wanted =
    search === ''
      ? sql`true`
      : sql`regexp_replace(normalize(full_name, NFD), '[\\u0300-\\u036f]', '', 'g')
          ilike ${containsPattern(search.normalize('NFD').replaceAll(marks, ''))}`;
  const { rows } = await sql<{
    id: string;
    full_name: string;
    photo_id: string | null;
    erased_at: Date | null;
    last_session: Date | null;
    next_session: Date | null;
  }>`
    with recursive served(id) as (
      (select client_id from appointments where provider_id = ${self} order by client_id limit 1)
      union all
      select (select client_id from appointments
               where provider_id = ${self} and client_id > served.id order by client_id limit 1)
        from served where served.id is not null
    )
    select profiles.id, full_name, photo_id, erased_at, last_session, next_session
      from served
      join profiles on profiles.id = served.id
      left join lateral (
        select starts_at as last_session from appointments
         where provider_id = ${self} and client_id = served.id and starts_at <= ${now}
           and (status in ('completed', 'no_show') or (status = 'confirmed' and ends_at <= ${now}))
         order by starts_at desc limit 1) as past on true
      left join lateral (
        select starts_at as next_session from appointments
         where provider_id = ${self} and client_id = served.id and starts_at > ${earliestRunningStart(now)}
           and ends_at > ${now} and status in ('pending', 'confirmed')
         order by starts_at limit 1) as coming on true
     where ${wanted}
     order by ${sql.raw(orders[order])}, profiles.id
     limit ${limit + 1} offset ${offset}`.execute(ctx.db);
  return {
    clients: rows.slice(0, limit).map((row) => ({
      id: row.id,
      name: row.full_name,
      photoUrl: photoPath(row.photo_id),
      erased: row.erased_at !== null,
      lastSession: row.last_session && isoOf(row.last_session),
      nextSession: row.next_session && isoOf(row.next_session),
    })),
    more: rows.length > limit,
  };
}

/** Returns the earliest possible start of a running session: indexes cover only starts. */
function earliestRunningStart(now: Date): Date {
  return new Date(now.getTime() - 4 * 3_600_000);
}

export async function clientView(ctx: Ctx, served: Served): Promise<ClientView> {
  const { providerId, clientId } = served;
  const now = new Date(ctx.now().epochMilliseconds);
  const ofPair = () =>
    ctx.db.selectFrom('appointments').where('provider_id', '=', providerId).where('client_id', '=', clientId);
  const [profile, record, shared, latest, counts] = await Promise.all([
    ctx.db.selectFrom('profiles').selectAll().where('id', '=', clientId).executeTakeFirstOrThrow(),
    clientRecordOf(ctx, served),
    sharedWith(ctx, served),
    ofPair()
      .select(['contact_email', 'contact_phone', 'client_time_zone'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow(),
    ofPair()
      .select(({ fn }) => [
        fn.min('starts_at').as('since'),
        fn.countAll<number>().filterWhere('status', '=', 'completed').as('completed'),
        fn.countAll<number>().filterWhere('status', '=', 'no_show').as('missed'),
        fn.countAll<number>().filterWhere('status', '=', 'cancelled').as('cancelled'),
        fn
          .countAll<number>()
          .filterWhere('status', 'in', ['pending', 'confirmed'])
          .filterWhere('ends_at', '>', now)
          .as('toCome'),
      ])
      .executeTakeFirstOrThrow(),
  ]);
  const { since, ...sessions } = counts;
  const erased = profile.erased_at !== null;
  return {
    id: clientId,
    name: profile.full_name,
    photoUrl: photoPath(profile.photo_id),
    erased,
    contact: erased
      ? null
      : {
          email: knownAddress(latest.contact_email),
          phone: latest.contact_phone,
          timeZone: profile.time_zone ?? latest.client_time_zone,
        },
    record,
    since: isoOf(since),
    sessions,
    shared: {
      profile: shared.profile && !erased ? faithOf(ctx, profile) : null,
      goals: shared.goals && !erased,
      progress: shared.progress && !erased,
    },
  };
}

/** Upcoming ones soonest first, past ones newest first. */
export async function sessionsWith(
  ctx: Ctx,
  { providerId, clientId }: Served,
  { part, limit, offset }: Page & { part: 'to_come' | 'past' },
): Promise<{ sessions: AppointmentView[]; more: boolean }> {
  const now = new Date(ctx.now().epochMilliseconds);
  const toCome = part === 'to_come';
  const rows = await ctx.db
    .selectFrom('appointments')
    .select('id')
    .where('provider_id', '=', providerId)
    .where('client_id', '=', clientId)
    .where(({ and, eb, not }) => {
      const holds = and([eb('status', 'in', ['pending', 'confirmed']), eb('ends_at', '>', now)]);
      return toCome ? holds : not(holds);
    })
    .orderBy('starts_at', toCome ? 'asc' : 'desc')
    .orderBy('id')
    .limit(limit + 1)
    .offset(offset)
    .execute();
  const ids = rows.slice(0, limit).map(({ id }) => id);
  const views = new Map((await ownAppointments(ctx, providerId, ids)).map((view) => [view.id, view]));
  return { sessions: ids.flatMap((id) => views.get(id) ?? []), more: rows.length > limit };
}

/** The provider's entry; null for account holders. */
export async function clientRecordOf(
  ctx: Ctx,
  { providerId, clientId }: Pick<Served, 'providerId'> & { clientId: string },
): Promise<ClientRecord | null> {
  const row = await ctx.db
    .selectFrom('client_records')
    .select(['email', 'phone', 'sent_at'])
    .where('person_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .executeTakeFirst();
  return row
    ? {
        email: row.email,
        phone: row.phone,
        sentAt: row.sent_at && isoOf(row.sent_at),
        declined: await isOptedOut(ctx, providerId, row.email),
      }
    : null;
}

/** Whether the address's owner refuses this specialist's emails. */
export async function isOptedOut({ db }: Ctx, providerId: string, email: string | null): Promise<boolean> {
  if (email === null) return false;
  const row = await db
    .selectFrom('client_opt_outs')
    .select('provider_id')
    .where('provider_id', '=', providerId)
    .where('address_digest', '=', addressDigest(email))
    .executeTakeFirst();
  return row !== undefined;
}

export async function isRecordOf({ db }: Ctx, bookingId: string): Promise<boolean> {
  const row = await db
    .selectFrom('bookings')
    .innerJoin('client_records', (join) =>
      join
        .onRef('client_records.person_id', '=', 'bookings.client_id')
        .onRef('client_records.idempotency_key', '=', 'bookings.idempotency_key'),
    )
    .select('bookings.id')
    .where('bookings.id', '=', bookingId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the next session, for the invitation email. */
export async function nextSessionOf({ db, now }: Ctx, clientId: string): Promise<string | null> {
  const row = await db
    .selectFrom('appointments')
    .select('id')
    .where('client_id', '=', clientId)
    .where('status', 'in', ['pending', 'confirmed'])
    .where('ends_at', '>', new Date(now().epochMilliseconds))
    .orderBy('starts_at')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function hasRecord({ db }: Ctx, clientId: string): Promise<boolean> {
  const row = await db
    .selectFrom('client_records')
    .select('person_id')
    .where('person_id', '=', clientId)
    .executeTakeFirst();
  return row !== undefined;
}

export const sharingNothing: Readonly<Record<SharedPart, boolean>> = {
  profile: false,
  goals: false,
  progress: false,
};

/** Returns what the client shares with the provider. */
export async function sharedWith(
  ctx: Ctx,
  { providerId, clientId }: Served,
): Promise<Record<SharedPart, boolean>> {
  const row = await ctx.db
    .selectFrom('shares')
    .select(['profile', 'goals', 'progress'])
    .where('client_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .executeTakeFirst();
  return row ?? sharingNothing;
}
