import { sql } from 'kysely';
import { topicsOf } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { anchorOf, beginning, digestOf, hashOf, sealedColumns } from './queries.ts';
import type { SealedEntry } from './rules.ts';

/** How many entries are sealed in one transaction. */
const batch = 500;

/**
 * Seals every entry that waits, the oldest of those first that can be seen; one that was committed late comes next,
 * for the seals' own numbers are the order. Only one process seals at a time; the others leave it to that one.
 */
export async function sealEntries(ctx: Ctx): Promise<void> {
  while ((await transact(ctx, sealBatch)) > 0);
}

async function sealBatch(tx: TxCtx): Promise<number> {
  const lock = await sql<{ ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('audit_seals', 0)) as ours`.execute(tx.db);
  if (!lock.rows[0]!.ours) return 0;
  const { rows: entries } = await sql<SealedEntry>`
    with waiting as materialized (
      select at, entry_id from audit_unsealed order by at, entry_id limit ${batch})
    select ${sealedColumns} from waiting w join audit_entries e on e.id = w.entry_id and e.at = w.at
     order by w.at, w.entry_id`.execute(tx.db);
  if (entries.length === 0) return 0;
  await addSeals(tx, entries);
  const ids = entries.map(({ id }) => id);
  await count(tx, ids);
  await sql`
    delete from audit_unsealed u using audit_entries e
     where e.id = any(${ids}::uuid[]) and u.at = e.at and u.entry_id = e.id`.execute(tx.db);
  await publish(tx, topicsOf('view_all_data'), { type: 'audit.sealed', id: '' });
  return entries.length;
}

async function addSeals(tx: TxCtx, entries: readonly SealedEntry[]): Promise<void> {
  const head = await tx.db
    .selectFrom('audit_seals')
    .select(['seq', 'hash'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  let [seq, last] = [head?.seq ?? 0, head?.hash ?? beginning];
  const seals = entries.map((entry) => {
    const digest = digestOf(entry);
    seq++;
    last = hashOf(last, seq, digest);
    return { seq, id: entry.id, digest: digest.toString('hex'), hash: last.toString('hex') };
  });
  const anchor = tx.keyring.seal(last.toString('hex'), anchorOf(seq));
  await sql`
    insert into audit_seals (seq, entry_id, digest, hash, anchor)
    select seq, id, decode(digest, 'hex'), decode(hash, 'hex'), case when seq = ${seq} then ${anchor} end
      from unnest(${seals.map((one) => one.seq)}::bigint[], ${seals.map(({ id }) => id)}::uuid[],
        ${seals.map(({ digest }) => digest)}::text[], ${seals.map(({ hash }) => hash)}::text[])
        as seal (seq, id, digest, hash)`.execute(tx.db);
}

/** Adds entries to what the log counts. */
async function count(tx: TxCtx, ids: readonly string[]): Promise<void> {
  const these = sql`from audit_entries where id = any(${ids}::uuid[])`;
  await sql`
    insert into audit_days (day, category, success, entries)
    select (at at time zone 'UTC')::date, category, success, count(*) ${these} group by 1, 2, 3
    on conflict (day, category, success) do update set entries = audit_days.entries + excluded.entries`.execute(
    tx.db,
  );
  await sql`
    insert into audit_actors (actor_id, first_at, last_at)
    select actor_id, min(at), max(at) ${these} and actor_id is not null group by actor_id
    on conflict (actor_id) do update set first_at = least(audit_actors.first_at, excluded.first_at),
      last_at = greatest(audit_actors.last_at, excluded.last_at)`.execute(tx.db);
  await sql`
    insert into audit_kinds (kind, category, actor_kind, actor_name, action, subject_kind, details)
    select distinct on (kind, category) kind, category, actor_kind, actor_name, action, subject_kind, details ${these}
    on conflict (kind, category) do nothing`.execute(tx.db);
}
