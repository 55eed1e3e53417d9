import { sql, type RawBuilder } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { LogEntry, LogFigures, LogFilter } from './contract.ts';
import { m } from '#/texts/messages.js';
import { auditCategories, isId, kindText, type AuditCategory } from './rules.ts';

/** Who is who: accounts come after the log, which knows people by their numbers. */
export interface People {
  /** Names and addresses by id; those whose account is erased are left out. */
  namesOf(ctx: Ctx, ids: readonly string[]): Promise<readonly { id: string; name: string; email: string }[]>;
  /** At most so many whose name or address holds the words. */
  idsOf(ctx: Ctx, words: string, most: number): Promise<string[]>;
}

/** Who and what the log's numbers stand for, told by what comes after the log. */
export interface Recorded extends People {
  /** What the things are called that entries are about, by id; those that are gone are left out. */
  subjectNames(
    ctx: Ctx,
    subjects: readonly { kind: string; id: string }[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Why these applications and credentials were turned down, by id: the log holds nobody's words. */
  reasonsOf(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What each setting changed from and to in these versions; versions of a former history are left out. */
  settingsAt(
    ctx: Ctx,
    versions: readonly number[],
  ): Promise<ReadonlyMap<number, Readonly<Record<string, string>>>>;
}

/** What is named by a word in an entry's details, since its key is no number. */
const namedByWord: Readonly<Record<string, string>> = { serviceId: 'service', flag: 'feature_flag' };

/** Details that say whose a decision was about, in case it is gone by now. */
const owning = ['personId', 'providerId'];
const owned = ['application', 'credential'];

/** Details that list people by their numbers. */
const listing = ['addedPeople', 'removedPeople'];

/** Of how many people entries are looked for at once. */
const mostPeople = 100;

/** The place of an entry in the log's order. */
export interface Place {
  at: string;
  id: string;
}

/** What a filter comes to: the kinds of entries, and the people, of whom those are that it asks for. */
interface Reach {
  kinds: string[];
  people: string[];
  /** What is named by its whole number. */
  id: string | null;
  manyPeople: boolean;
}

/** Finds what the words of a filter come to; null where it asks for everything. */
async function reachOf(ctx: Ctx, people: People, { search, category }: LogFilter): Promise<Reach | null> {
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
  const found = search === '' ? [] : await people.idsOf(ctx, search, mostPeople + 1);
  return {
    kinds: [...new Set(kinds)],
    people: found.slice(0, mostPeople),
    id: isId(words) ? words : null,
    manyPeople: found.length > mostPeople,
  };
}

const newestFirst = sql`order by at desc, id desc`;
const columns = sql`e.id, e.at, e.actor_kind, e.actor_id, e.actor_name, e.action, e.category, e.subject_kind,
  e.subject_id, e.details, p.address, e.success`;

/** The conditions of time and place that an index answers; `e` is the table. */
function within({ from, to }: Pick<LogFilter, 'from' | 'to'>, before: Place | null): RawBuilder<unknown> {
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
 * One page of the log. Where words or a category are asked for, the newest of each kind and of each person come from
 * an index, and the newest of those: what is rare is found as quickly as what is frequent.
 */
export async function logPage(
  ctx: Ctx,
  people: Recorded,
  filter: LogFilter & { before: Place | null; limit: number },
): Promise<{ entries: LogEntry[]; more: boolean; manyPeople: boolean }> {
  const { limit } = filter;
  const reach = await reachOf(ctx, people, filter);
  const picked = reach
    ? pickedOf(reach, filter)
    : sql`select e.id, e.at from audit_entries e where ${within(filter, filter.before)}`;
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

/** The places of entries among which the newest that a filter reaches are. */
function pickedOf(
  { kinds, people, id }: Reach,
  { category, before, limit, from, to }: LogFilter & { before: Place | null; limit: number },
): RawBuilder<unknown> {
  // Plans of all values at once have to know that few rows are asked for.
  const newest = (fits: RawBuilder<unknown>, count: number) => sql`
    select e.id, e.at from audit_entries e where ${fits} and ${within({ from, to }, before)}
     order by e.at desc, e.id desc limit ${sql.lit(count)}`;
  // First the last entry of each: all but a page's newest of those have nothing on the page.
  const each = (those: RawBuilder<unknown>, fits: RawBuilder<unknown>) => sql`
    select e.id, e.at from (
      select one, category from ${those} as k (one, category) cross join lateral (${newest(fits, 1)}) as e
       ${newestFirst} limit ${sql.lit(limit + 1)}
    ) as k cross join lateral (${newest(fits, limit + 1)}) as e`;
  // An index has the newest of each person in each category.
  const categories = category ? [category] : auditCategories;
  const ofEach = (ids: readonly string[], fits: RawBuilder<unknown>) =>
    each(
      sql`(select one, category from unnest(${ids}::uuid[]) as one, unnest(${categories}::text[]) as category)`,
      sql`${fits} and e.category = k.category`,
    );
  const ofKind = category ? sql`e.kind = k.one and e.category = ${category}` : sql`e.kind = k.one`;
  const named = id === null ? [] : [id];
  return sql`
    ${each(sql`(select one, null from unnest(${kinds}::text[]) as one)`, ofKind)}
    union ${ofEach(people, sql`e.actor_id = k.one`)}
    union ${ofEach(people, sql`e.subject_id = k.one and e.subject_kind = 'person'`)}
    union ${ofEach(named, sql`e.actor_id = k.one`)}
    union ${ofEach(named, sql`e.subject_id = k.one`)}
    union ${ofEach(named, sql`e.id = k.one`)}`;
}

/** How many entries are read at a time for a file. */
const stride = 2_000;

/** Every entry that a filter asks for, the newest first: one walk over the time that it names, a stride at a time. */
export async function* walkLog(ctx: Ctx, people: Recorded, filter: LogFilter): AsyncGenerator<LogEntry[]> {
  const reach = await reachOf(ctx, people, filter);
  const { category } = filter;
  const fits = reach
    ? sql`(e.kind = any(${reach.kinds}::text[]) or e.actor_id = any(${reach.people}::uuid[])
        or (e.subject_kind = 'person' and e.subject_id = any(${reach.people}::uuid[]))
        or ${reach.id}::uuid in (e.id, e.actor_id, e.subject_id))
      and ${category ? sql`e.category = ${category}` : sql`true`}`
    : sql`true`;
  for (let before: Place | null = null; ;) {
    // What fits is told by the last column, so that the walk goes on where nothing does.
    const { rows }: { rows: (Row & { fits: boolean | null })[] } = await sql<Row & { fits: boolean | null }>`
      select ${columns}, ${fits} as fits
        from (select e.* from audit_entries e where ${within(filter, before)} ${newestFirst} limit ${stride}) as e
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

/** An entry as it is stored, with where it came from. */
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

/** Entries as they are read: with the names of who and what they are about. */
async function entriesOf(ctx: Ctx, people: Recorded, rows: readonly Row[]): Promise<LogEntry[]> {
  const ids = rows.flatMap((row) => [
    row.actor_id,
    row.subject_kind === 'person' ? row.subject_id : null,
    ...owning.map((name) => wordOf(row, name)),
    ...listing.flatMap((name) => wordOf(row, name)?.split(' ') ?? []),
  ]);
  const things = rows.flatMap((row) => thingOf(row) ?? []);
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
        .map((id) => byId.get(id)?.name ?? m.audit_actor_erased());
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
        name: actor?.name ?? row.actor_name,
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

/** The version of what an entry changed; 0 where it names none. */
function versionOf({ details }: Row): number {
  return Number(details['version'] ?? 0);
}

/** A detail that is a word. */
function wordOf({ details }: Row, name: string): string | null {
  const value = details[name];
  return typeof value === 'string' ? value : null;
}

/** What an entry is about, unless it is a person. */
function thingOf(row: Row): { kind: string; id: string } | null {
  const { subject_kind: kind, subject_id: id } = row;
  if (kind !== null) return id !== null && kind !== 'person' ? { kind, id } : null;
  for (const [name, named] of Object.entries(namedByWord)) {
    const word = wordOf(row, name);
    if (word !== null) return { kind: named, id: word };
  }
  return null;
}

/** Counts by whole days of UTC as they were kept, and what stands at the span's ends, or isn't sealed yet, one by one. */
export async function logFigures(
  { db }: Ctx,
  span: { from?: string | undefined; to?: string | undefined },
): Promise<LogFigures> {
  const [from, to] = [span.from ?? '-infinity', span.to ?? 'infinity'];
  const whole = {
    from: span.from ? dayAfter(span.from) : '-infinity',
    to: span.to ? dayOf(span.to) : 'infinity',
  };
  // A span within one day has no whole one.
  const ends =
    span.from && span.to && whole.from >= whole.to
      ? sql`at >= ${from}::timestamptz and at < ${to}::timestamptz`
      : sql`(at >= ${from}::timestamptz and at < ${whole.from}::timestamptz)
         or (at >= ${whole.to}::timestamptz and at < ${to}::timestamptz)`;
  const { rows } = await sql<{ category: AuditCategory; success: boolean; entries: number }>`
    select category, success, sum(entries)::bigint as entries from (
      select category, success, entries from audit_days
       where day >= ${whole.from}::date and day < ${whole.to}::date
      union all
      select category, success, count(*) from audit_entries where ${ends} group by category, success
      union all
      select e.category, e.success, count(*)
        from audit_unsealed u join audit_entries e on e.id = u.entry_id
       where u.at >= ${whole.from}::timestamptz and u.at < ${whole.to}::timestamptz
       group by e.category, e.success
    ) as parts group by category, success`.execute(db);
  // Who was there before and after alone has to be looked for in between.
  const surely = sql`last_at >= ${from}::timestamptz and first_at < ${to}::timestamptz
    and (last_at < ${to}::timestamptz or first_at >= ${from}::timestamptz)`;
  const between = sql`last_at >= ${to}::timestamptz and first_at < ${from}::timestamptz and exists (
    select from audit_entries e
     where e.actor_id = a.actor_id and e.category = any(${auditCategories}::text[])
       and e.at >= ${from}::timestamptz and e.at < ${to}::timestamptz)`;
  const people = await sql<{ count: number }>`
    select (select count(*) from audit_actors where ${surely})
      + (select count(*) from audit_actors a where ${between})
      + (select count(distinct e.actor_id) from audit_unsealed u join audit_entries e on e.id = u.entry_id
          where u.at >= ${from}::timestamptz and u.at < ${to}::timestamptz and e.actor_id is not null
            and not exists (select from audit_actors a
              where a.actor_id = e.actor_id and (${surely} or ${between}))) as count`.execute(db);
  const sum = (of: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(of).reduce((total, { entries }) => total + entries, 0);
  return {
    total: sum(() => true),
    successful: sum(({ success }) => success),
    failed: sum(({ success }) => !success),
    activeUsers: people.rows[0]!.count,
    categories: Object.fromEntries(
      auditCategories.map((one) => [one, sum(({ category }) => category === one)]),
    ) as Record<AuditCategory, number>,
  };
}

/** The day of UTC in which an instant is. */
function dayOf(at: string): string {
  return Temporal.Instant.from(at).toZonedDateTimeISO('UTC').toPlainDate().toString();
}

/** The first day of UTC that begins at an instant or after it. */
function dayAfter(at: string): string {
  const day = dayOf(at);
  const begins = Temporal.PlainDate.from(day).toZonedDateTime('UTC').toInstant();
  return begins.equals(Temporal.Instant.from(at))
    ? day
    : Temporal.PlainDate.from(day).add({ days: 1 }).toString();
}
