import { type RawBuilder, sql } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { m } from '#/texts/messages.js';
import { auditCategories, type AuditCategory } from '../actions/rules.ts';
import type { LogEntry, LogFilter } from '../contract.ts';
import { isId, kindText } from './rules.ts';

/** Injected, because accounts depend on the audit log. */
export interface People {
  /** Omits erased accounts. */
  namesOf(ctx: Ctx, ids: readonly string[]): Promise<readonly { id: string; name: string; email: string }[]>;
  idsOf(ctx: Ctx, words: string, max: number): Promise<string[]>;
}

/** Implemented by features that depend on the log. */
export interface Recorded extends People {
  subjectNames(
    ctx: Ctx,
    subjects: readonly { kind: string; id: string }[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Rejection reasons: the log has no user text. */
  reasonsOf(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Omits versions from an earlier history. */
  settingsAt(
    ctx: Ctx,
    versions: readonly number[],
  ): Promise<ReadonlyMap<number, Readonly<Record<string, string>>>>;
}

/** Subjects that have no id. */
const namedByWord: Readonly<Record<string, string>> = { serviceId: 'service', flag: 'feature_flag' };

/** The decision's owner: its subject may be deleted. */
const owning = ['personId', 'providerId'];
const owned = ['application', 'credential'];

const listing = ['addedPeople', 'removedPeople'];

const maxPeople = 100;

export interface Cursor {
  at: string;
  id: string;
}

interface About {
  about?: readonly string[] | undefined;
}

interface SearchScope {
  kinds: string[];
  people: string[];
  /** Asked for, or entered as search text. */
  ids: readonly string[];
  manyPeople: boolean;
}

async function reachOf(
  ctx: Ctx,
  people: People,
  { search, category, about }: LogFilter & About,
): Promise<SearchScope | null> {
  if (about) return { kinds: [], people: [], ids: about, manyPeople: false };
  if (search === '' && category === undefined) return null;
  const rows = await ctx.db
    .selectFrom('audit_kinds')
    .select(['kind', 'actor_kind', 'actor_name', 'action', 'subject_kind', 'details'])
    .$if(category !== undefined, (query) => query.where('category', '=', category!))
    .execute();
  const words = search.toLowerCase();
  const kinds = rows
    .filter((row) =>
      kindText({
        actor: { kind: row.actor_kind, name: row.actor_name },
        action: row.action,
        subjectKind: row.subject_kind,
        details: row.details as Record<string, unknown>,
      }).includes(words),
    )
    .map(({ kind }) => kind);
  const found = search === '' ? [] : await people.idsOf(ctx, search, maxPeople + 1);
  return {
    kinds: [...new Set(kinds)],
    people: found.slice(0, maxPeople),
    ids: isId(words) ? [words] : [],
    manyPeople: found.length > maxPeople,
  };
}

const newestFirst = sql`order by at desc, id desc`;
const columns = sql`e.id, e.at, e.actor_kind, e.actor_id, e.actor_name, e.action, e.category, e.subject_kind,
  e.subject_id, e.details, p.address, e.success`;

/** Served by an index; `e` is the table. */
function inRange({ from, to }: Pick<LogFilter, 'from' | 'to'>, before: Cursor | null): RawBuilder<unknown> {
  return sql.join(
    [
      sql`true`,
      ...(from ? [sql`e.at >= ${from}::timestamptz`] : []),
      ...(to ? [sql`e.at < ${to}::timestamptz`] : []),
      ...(before ? [sql`(e.at, e.id) < (${before.at}::timestamptz, ${before.id}::uuid)`] : []),
    ],
    sql` and `,
  );
}

/**
 * Returns a page of the log. Reads the newest entries per kind and person from indexes, so rare matches are as fast as
 * frequent ones.
 */
export async function logPage(
  ctx: Ctx,
  people: Recorded,
  filter: LogFilter & About & { before: Cursor | null; limit: number },
): Promise<{ entries: LogEntry[]; more: boolean; manyPeople: boolean }> {
  const { limit } = filter;
  const reach = await reachOf(ctx, people, filter);
  const picked = reach
    ? selectEntries(reach, filter)
    : sql`select e.id, e.at from audit_entries e where ${inRange(filter, filter.before)}`;
  const { rows } = await sql<Row>`
    with picked as materialized (${picked} ${newestFirst} limit ${limit + 1})
    select ${columns} from picked join audit_entries e on e.id = picked.id
      left join audit_personal p on p.entry_id = e.id
     order by e.at desc, e.id desc`.execute(ctx.db);
  return {
    entries: await entriesOf(ctx, people, rows.slice(0, limit)),
    more: rows.length > limit,
    manyPeople: reach?.manyPeople ?? false,
  };
}

function selectEntries(
  { kinds, people, ids }: SearchScope,
  { category, before, limit, from, to }: LogFilter & { before: Cursor | null; limit: number },
): RawBuilder<unknown> {
  // Literal limits, so generic plans expect few rows.
  const newest = (fits: RawBuilder<unknown>, count: number) => sql`
    select e.id, e.at from audit_entries e where ${fits} and ${inRange({ from, to }, before)}
     order by e.at desc, e.id desc limit ${sql.lit(count)}`;
  // Keys with the newest entries suffice.
  const each = (those: RawBuilder<unknown>, fits: RawBuilder<unknown>) => sql`
    select e.id, e.at from (
      select one, category from ${those} as k (one, category) cross join lateral (${newest(fits, 1)}) as e
       ${newestFirst} limit ${sql.lit(limit + 1)}
    ) as k cross join lateral (${newest(fits, limit + 1)}) as e`;
  const categories = category ? [category] : auditCategories;
  const ofEach = (those: readonly string[], fits: RawBuilder<unknown>) =>
    each(
      sql`(select one, category from unnest(${those}::uuid[]) as one, unnest(${categories}::text[]) as category)`,
      sql`${fits} and e.category = k.category`,
    );
  const ofKind = category ? sql`e.kind = k.one and e.category = ${category}` : sql`e.kind = k.one`;
  return sql`
    ${each(sql`(select one, null from unnest(${kinds}::text[]) as one)`, ofKind)}
    union ${ofEach(people, sql`e.actor_id = k.one`)}
    union ${ofEach(people, sql`e.subject_id = k.one and e.subject_kind = 'person'`)}
    union ${ofEach(ids, sql`e.actor_id = k.one`)}
    union ${ofEach(ids, sql`e.subject_id = k.one`)}
    union ${ofEach(ids, sql`e.id = k.one`)}`;
}

const stride = 2_000;

/** Yields matching entries newest first, in batches. */
export async function* walkLog(ctx: Ctx, people: Recorded, filter: LogFilter): AsyncGenerator<LogEntry[]> {
  const reach = await reachOf(ctx, people, filter);
  const { category } = filter;
  const fits = reach
    ? sql`(e.kind = any(${reach.kinds}::text[]) or e.actor_id = any(${reach.people}::uuid[])
        or (e.subject_kind = 'person' and e.subject_id = any(${reach.people}::uuid[]))
        or array[e.id, e.actor_id, e.subject_id] && ${reach.ids}::uuid[])
      and ${category ? sql`e.category = ${category}` : sql`true`}`
    : sql`true`;
  for (let before: Cursor | null = null; ;) {
    // `fits` is a column, so batches without matches still advance the cursor.
    const { rows }: { rows: (Row & { fits: boolean | null })[] } = await sql<Row & { fits: boolean | null }>`
      select ${columns}, ${fits} as fits
        from (select e.* from audit_entries e where ${inRange(filter, before)} ${newestFirst} limit ${stride}) as e
        left join audit_personal p on p.entry_id = e.id
       order by e.at desc, e.id desc`.execute(ctx.db);
    yield entriesOf(
      ctx,
      people,
      rows.filter((row) => row.fits === true),
    );
    const last = rows.at(-1);
    if (rows.length < stride || !last) return;
    before = { at: isoOf(last.at), id: last.id };
  }
}

interface Row {
  id: string;
  at: Date;
  actor_kind: LogEntry['actor']['kind'];
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  category: AuditCategory;
  subject_kind: string | null;
  subject_id: string | null;
  details: Record<string, unknown>;
  address: string | null;
  success: boolean;
}

async function entriesOf(ctx: Ctx, people: Recorded, rows: readonly Row[]): Promise<LogEntry[]> {
  const ids = rows.flatMap((row) => [
    row.actor_id,
    row.subject_kind === 'person' ? row.subject_id : null,
    ...owning.map((name) => wordOf(row, name)),
    ...listing.flatMap((name) => wordOf(row, name)?.split(' ') ?? []),
  ]);
  const things = rows.flatMap((row) => [thingOf(row) ?? [], tokenOf(row) ?? []].flat());
  const turnedDown = rows.filter(({ action }) => /^provider\.\w+_rejected$/.test(action));
  const savings = rows.filter(({ action }) => action.startsWith('settings.'));
  const [known, called, reasons, settings] = await Promise.all([
    people.namesOf(ctx, [...new Set(ids.filter(isId))]),
    people.subjectNames(ctx, things),
    people.reasonsOf(
      ctx,
      turnedDown.flatMap(({ subject_id: id }) => id ?? []),
    ),
    people.settingsAt(ctx, savings.map(versionOf)),
  ]);
  const byId = new Map(known.map((person) => [person.id, person]));
  const subjectOf = (row: Row): LogEntry['subject'] => {
    const { subject_kind: kind, subject_id: id } = row;
    const thing = thingOf(row);
    if (kind === null) return thing && { kind: thing.kind, id: null, name: called.get(thing.id) ?? thing.id };
    const owner =
      owned.includes(kind) && owning.map((name) => byId.get(wordOf(row, name) ?? '')?.name).find(Boolean);
    const name = kind === 'person' ? byId.get(id ?? '')?.name : called.get(id ?? '');
    return { kind, id, name: name ?? (owner || null) };
  };
  const detailsOf = (row: Row): LogEntry['details'] => {
    const reason = reasons.get(row.subject_id ?? '');
    const lists = listing.flatMap((name) => {
      const listed = wordOf(row, name)
        ?.split(' ')
        .map((id) => byId.get(id)?.name ?? m.web_erased_account());
      return listed ? [[name, listed.join(', ')] as const] : [];
    });
    return {
      ...row.details,
      ...Object.fromEntries<unknown>(lists),
      ...(savings.includes(row) && settings.get(versionOf(row))),
      ...(reason && turnedDown.includes(row) && { reason }),
    };
  };
  return rows.map((row) => {
    const actor = byId.get(row.actor_id ?? '');
    return {
      id: row.id,
      at: isoOf(row.at),
      actor: {
        kind: row.actor_kind,
        id: row.actor_id,
        name: actor?.name ?? called.get(tokenOf(row)?.id ?? '') ?? row.actor_name,
        email: actor?.email ?? null,
      },
      action: row.action,
      category: row.category,
      subject: subjectOf(row),
      details: detailsOf(row),
      address: row.address,
      success: row.success,
    };
  });
}

function tokenOf({ actor_kind: kind, actor_id: id }: Row): { kind: string; id: string } | null {
  return kind === 'site_token' && id !== null ? { kind, id } : null;
}

function versionOf({ details }: Row): number {
  return Number(details['version'] ?? 0);
}

function wordOf({ details }: Row, name: string): string | null {
  const value = details[name];
  return typeof value === 'string' ? value : null;
}

function thingOf(row: Row): { kind: string; id: string } | null {
  const { subject_kind: kind, subject_id: id } = row;
  if (kind !== null) return id !== null && kind !== 'person' ? { kind, id } : null;
  for (const [name, named] of Object.entries(namedByWord)) {
    const word = wordOf(row, name);
    if (word !== null) return { kind: named, id: word };
  }
  return null;
}
