import { sql, type Selectable } from 'kysely';
import type { Role } from '#/kernel/actor.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { containsPattern } from '#/platform/db/like.ts';
import type { Self } from '#/features/access/rules.ts';
import { offers } from '#/features/settings/flags/queries.ts';
import { sealedColumn } from '#/platform/sealed-column.ts';
import type { OwnPrayer, PrayerState, ReceivedPrayer } from './contract.ts';
import { shownName } from './rules.ts';
import type { PrayerRequestsTable } from './tables.ts';

/** Encrypted columns of prayer requests and answers. Only place defining their binding. */
export const sealedPrayers = {
  text: sealedColumn('prayer_requests', 'text'),
  note: sealedColumn('prayer_answers', 'note'),
} as const;

interface Page {
  beforeAt?: string | undefined;
  beforeId?: string | undefined;
  limit: number;
}

/** Providers the client has met or booked, and listed ones. Excludes those who can’t read requests. */
function askableProviders(ctx: Ctx, self: Self) {
  return ctx.db
    .selectFrom('providers')
    .innerJoin('profiles', 'profiles.id', 'providers.id')
    .leftJoin(
      ctx.db
        .selectFrom('appointments')
        .select('provider_id')
        .where('client_id', '=', self)
        .where('status', '<>', 'cancelled')
        .groupBy('provider_id')
        .as('known'),
      'known.provider_id',
      'providers.id',
    )
    .where(({ or, eb }) => or([eb('listed', '=', true), eb('known.provider_id', 'is not', null)]))
    .where('erased_at', 'is', null)
    .where('delete_after', 'is', null)
    .where('suspended_at', 'is', null)
    .where('role', 'in', ['doctor', 'pastor'])
    .where(({ ref }) => offers('wellness_tracking', { id: ref('providers.id'), kind: ref('providers.kind') }))
    .where('providers.id', '<>', self);
}

export async function mayAsk(ctx: Ctx, self: Self, providerId: string): Promise<boolean> {
  const row = await askableProviders(ctx, self)
    .select('providers.id')
    .where('providers.id', '=', providerId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Counselors a client can ask, known ones first. */
export async function counsellorsFor(
  ctx: Ctx,
  self: Self,
  { search, limit }: { search: string; limit: number },
): Promise<{ id: string; name: string; title: string; met: boolean }[]> {
  let found = askableProviders(ctx, self);
  if (search !== '') {
    // Ignore diacritics, like the client-side filter.
    const marks = /\p{Mn}/gu;
    found = found.where(
      sql<string>`regexp_replace(normalize(full_name || ', ' || providers.title, NFD), '[\\u0300-\\u036f]', '', 'g')`,
      'ilike',
      containsPattern(search.normalize('NFD').replaceAll(marks, '')),
    );
  }
  const rows = await found
    .select(['providers.id', 'full_name as name', 'providers.title', 'known.provider_id as known'])
    .orderBy(({ eb }) => eb('known.provider_id', 'is', null))
    .orderBy('providers.position')
    .orderBy('full_name')
    .orderBy('providers.id')
    .limit(limit)
    .execute();
  return rows.map(({ id, name, title, known }) => ({ id, name, title, met: known !== null }));
}

/** Lists a client's requests, newest first. */
export async function prayersOf(
  ctx: Ctx,
  self: Self,
  page: Page,
): Promise<{ prayers: OwnPrayer[]; more: boolean }> {
  const rows = await paged(
    ctx.db.selectFrom('prayer_requests').selectAll().where('client_id', '=', self),
    page,
  ).execute();
  return { prayers: await ownViews(ctx, rows.slice(0, page.limit)), more: rows.length > page.limit };
}

/** Returns the client's own request. */
export async function prayerOf(ctx: Ctx, self: Self, id: string): Promise<OwnPrayer> {
  const row = await ctx.db
    .selectFrom('prayer_requests')
    .selectAll()
    .where('id', '=', id)
    .where('client_id', '=', self)
    .executeTakeFirstOrThrow();
  return (await ownViews(ctx, [row]))[0]!;
}

/** Lists requests sent to a provider, newest first. */
export async function prayersFor(
  ctx: Ctx,
  by: { id: Self; role: Role },
  { state, ...page }: Page & { state: PrayerState },
): Promise<{ prayers: ReceivedPrayer[]; more: boolean }> {
  const all = () => ctx.db.selectFrom('prayer_requests').selectAll().where('state', '=', state);
  // Separate queries: each uses its own index and reads only visible rows.
  const toOne = paged(all().where('provider_id', '=', by.id), page);
  const asked =
    by.role === 'pastor'
      ? ctx.db
          .selectFrom(toOne.as('to_one'))
          .selectAll()
          .unionAll(
            ctx.db
              .selectFrom(paged(all().where('audience', '=', 'pastors'), page).as('to_pastors'))
              .selectAll(),
          )
      : ctx.db.selectFrom(toOne.as('to_one')).selectAll();
  const rows = await ctx.db
    .selectFrom(asked.as('asked'))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return {
    prayers: await receivedViews(ctx, by.id, rows.slice(0, page.limit)),
    more: rows.length > page.limit,
  };
}

/** An answer's email; null if undone. */
export async function answerNotice(
  ctx: Ctx,
  answerId: string,
): Promise<{ requestId: string; clientId: string } | null> {
  const row = await ctx.db
    .selectFrom('prayer_answers')
    .innerJoin('prayer_requests', 'prayer_requests.id', 'request_id')
    .select(['request_id', 'client_id'])
    .where('prayer_answers.id', '=', answerId)
    .where('state', '<>', 'closed')
    .executeTakeFirst();
  return row ? { requestId: row.request_id, clientId: row.client_id } : null;
}

/** Returns email data; null unless an open request names one counselor. */
export async function askedNotice(
  ctx: Ctx,
  requestId: string,
): Promise<{ clientId: string; counsellorId: string; askedAt: string } | null> {
  const row = await ctx.db
    .selectFrom('prayer_requests')
    .select(['client_id', 'provider_id', 'created_at'])
    .where('id', '=', requestId)
    .where('state', '=', 'open')
    .executeTakeFirst();
  if (!row?.provider_id) return null;
  return { clientId: row.client_id, counsellorId: row.provider_id, askedAt: isoOf(row.created_at) };
}

export async function receivedView(
  ctx: Ctx,
  self: Self,
  row: Selectable<PrayerRequestsTable>,
): Promise<ReceivedPrayer> {
  return (await receivedViews(ctx, self, [row]))[0]!;
}

type RequestRows = ReturnType<typeof requestRows>;

function requestRows(ctx: Ctx) {
  return ctx.db.selectFrom('prayer_requests').selectAll();
}

function paged(rows: RequestRows, { beforeAt, beforeId, limit }: Page): RequestRows {
  const ordered = rows
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (beforeAt === undefined || beforeId === undefined) return ordered;
  const at = new Date(Temporal.Instant.from(beforeAt).epochMilliseconds);
  return ordered.where(({ eb, refTuple, tuple }) =>
    eb(refTuple('created_at', 'id'), '<', tuple(at, beforeId)),
  );
}

async function answersTo(ctx: Ctx, rows: readonly { id: string }[]) {
  if (rows.length === 0) return [];
  return ctx.db
    .selectFrom('prayer_answers')
    .innerJoin('profiles', 'profiles.id', 'person_id')
    .select(['prayer_answers.id', 'request_id', 'person_id', 'full_name', 'note', 'prayed_at'])
    .where(
      'request_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('prayed_at')
    .orderBy('prayer_answers.id')
    .execute();
}

async function ownViews(ctx: Ctx, rows: readonly Selectable<PrayerRequestsTable>[]): Promise<OwnPrayer[]> {
  const [answers, counsellors] = await Promise.all([answersTo(ctx, rows), namesOf(ctx, rows)]);
  return rows.map((row) => ({
    id: row.id,
    text: sealedPrayers.text.open(ctx.keyring, row.id, row.text),
    audience: row.audience,
    counsellor: row.provider_id === null ? null : (counsellors.get(row.provider_id) ?? null),
    showName: row.show_name,
    state: row.state,
    askedAt: isoOf(row.created_at),
    prayed: answers
      .filter(({ request_id }) => request_id === row.id)
      .map(({ id, person_id, full_name, note, prayed_at }) => ({
        id: person_id,
        name: full_name,
        note: sealedPrayers.note.openIfAny(ctx.keyring, id, note),
        prayedAt: isoOf(prayed_at),
      })),
  }));
}

async function namesOf(ctx: Ctx, rows: readonly Selectable<PrayerRequestsTable>[]) {
  const ids = rows.flatMap(({ provider_id }) => provider_id ?? []);
  if (ids.length === 0) return new Map<string, never>();
  const found = await ctx.db
    .selectFrom('providers')
    .innerJoin('profiles', 'profiles.id', 'providers.id')
    .select(['providers.id', 'full_name as name', 'providers.title'])
    .where('providers.id', 'in', ids)
    .execute();
  return new Map(found.map((one) => [one.id, one]));
}

async function receivedViews(
  ctx: Ctx,
  self: Self,
  rows: readonly Selectable<PrayerRequestsTable>[],
): Promise<ReceivedPrayer[]> {
  const [answers, names] = await Promise.all([answersTo(ctx, rows), clientNames(ctx, rows)]);
  return rows.map((row) => {
    const prayed = answers.filter(({ request_id }) => request_id === row.id);
    const own = prayed.find(({ person_id }) => person_id === self);
    return {
      id: row.id,
      text: sealedPrayers.text.open(ctx.keyring, row.id, row.text),
      audience: row.audience,
      name: shownName(names.get(row.client_id) ?? '', { audience: row.audience, showName: row.show_name }),
      state: row.state,
      askedAt: isoOf(row.created_at),
      prayed: own
        ? {
            note: sealedPrayers.note.openIfAny(ctx.keyring, own.id, own.note),
            prayedAt: isoOf(own.prayed_at),
          }
        : null,
      others: prayed.length - (own ? 1 : 0),
    };
  });
}

/** Loads names only for clients who show theirs. */
async function clientNames(
  ctx: Ctx,
  rows: readonly Selectable<PrayerRequestsTable>[],
): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ show_name, client_id }) => (show_name ? [client_id] : []));
  if (ids.length === 0) return new Map();
  const found = await ctx.db
    .selectFrom('profiles')
    .select(['id', 'full_name'])
    .where('id', 'in', ids)
    .execute();
  return new Map(found.map(({ id, full_name }) => [id, full_name]));
}
