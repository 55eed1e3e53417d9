import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { topicsOf } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { Log } from '#/platform/log.ts';
import { publish } from '#/platform/realtime/publish.ts';
import {
  anchorOf,
  beginning,
  digestOf,
  hashOf,
  headFiles,
  headOf,
  savedHeads,
  lastCheck,
  sealedColumns,
  verifyChain,
} from './queries.ts';
import type { SealedEntry } from './rules.ts';

const batch = 500;

/**
 * Seals pending entries, oldest visible first; late commits follow, since seal numbers define the order. Only one
 * process seals; others skip. The program log, which another machine can keep, gets a line for each.
 */
export async function sealEntries(ctx: Ctx, log: Pick<Log, 'info'> | null = null): Promise<void> {
  let sealed: readonly SealedLine[];
  do {
    sealed = await transact(ctx, sealBatch);
    for (const line of sealed) log?.info(line, 'audit');
  } while (sealed.length > 0);
}

async function sealBatch(tx: TxCtx): Promise<readonly SealedLine[]> {
  const lock = await sql<{ ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('audit_seals', 0)) as ours`.execute(tx.db);
  if (!lock.rows[0]!.ours) return [];
  const { rows: entries } = await sql<Waiting>`
    with waiting as materialized (
      select at, entry_id from audit_unsealed order by at, entry_id limit ${batch})
    select ${sealedColumns}, e.address_mark is null and exists (
      select from audit_personal p where p.entry_id = e.id) as unmarked
      from waiting w join audit_entries e on e.id = w.entry_id and e.at = w.at
     order by w.at, w.entry_id`.execute(tx.db);
  if (entries.length === 0) return [];
  const sealed = await addSeals(tx, entries);
  const ids = entries.map(({ id }) => id);
  await count(tx, ids);
  await sql`
    delete from audit_unsealed u using audit_entries e
     where e.id = any(${ids}::uuid[]) and u.at = e.at and u.entry_id = e.id`.execute(tx.db);
  await publish(tx, topicsOf('view_all_data'), { type: 'audit.sealed', id: '' });
  return sealed;
}

/** Unmarked addresses of older releases are version 1. */
type Waiting = SealedEntry & { unmarked: boolean };

/** Without names, since the hash covers the rest. */
type SealedLine = Pick<SealedEntry, 'id' | 'at' | 'action' | 'success'> & { seq: number; hash: string };

async function addSeals(tx: TxCtx, entries: readonly Waiting[]): Promise<readonly SealedLine[]> {
  const head = await headOf(tx.db);
  let [seq, last] = [head?.seq ?? 0, head ? Buffer.from(head.hash, 'hex') : beginning];
  const seals = entries.map((entry) => {
    const version = entry.unmarked ? 1 : 2;
    const digest = digestOf(entry, version);
    seq++;
    last = hashOf(last, seq, digest);
    return { seq, id: entry.id, version, digest: digest.toString('hex'), hash: last.toString('hex') };
  });
  const anchor = tx.keyring.seal(last.toString('hex'), anchorOf(seq));
  await sql`
    insert into audit_seals (seq, entry_id, digest, hash, anchor, version)
    select seq, id, decode(digest, 'hex'), decode(hash, 'hex'), case when seq = ${seq} then ${anchor} end, version
      from unnest(${seals.map((one) => one.seq)}::bigint[], ${seals.map(({ id }) => id)}::uuid[],
        ${seals.map(({ digest }) => digest)}::text[], ${seals.map(({ hash }) => hash)}::text[],
        ${seals.map(({ version }) => version)}::smallint[]) as seal (seq, id, digest, hash, version)`.execute(
    tx.db,
  );
  return entries.map(({ id, at, action, success }, index) => {
    const { seq: number, hash } = seals[index]!;
    return { seq: number, hash, id, at, action, success };
  });
}

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
    select actor_id, min(at), max(at) ${these} and actor_kind = 'person' group by actor_id
    on conflict (actor_id) do update set first_at = least(audit_actors.first_at, excluded.first_at),
      last_at = greatest(audit_actors.last_at, excluded.last_at)`.execute(tx.db);
  await sql`
    insert into audit_kinds (kind, category, actor_kind, actor_name, action, subject_kind, details)
    select distinct on (kind, category) kind, category, actor_kind, actor_name, action, subject_kind, details ${these}
    on conflict (kind, category) do nothing`.execute(tx.db);
}

/** Bytes; rotation keeps one predecessor. */
const longestFile = 1_000_000;

/**
 * Appends each new chain head to a file outside the database, so truncation is detectable. The file contains no
 * secrets.
 */
export function createHeadWriter(folder: string): (ctx: Pick<Ctx, 'db' | 'now'>) => Promise<void> {
  const { heads: file, before } = headFiles(folder);
  let kept: string | undefined;
  return async ({ db, now }) => {
    const head = await headOf(db);
    if (!head || head.hash === kept) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    if (size > longestFile) await rename(file, before);
    await appendFile(file, `${head.seq} ${head.hash} ${now().toString()}\n`, { mode: 0o600, flush: true });
    kept = head.hash;
  };
}

/** Records a restore: the restored chain ends before heads saved since. */
export async function noteHeadsRestored(folder: string, now: Temporal.Instant): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await appendFile(headFiles(folder).restores, `${now.toString()}\n`, { mode: 0o600 });
}

const checkHours = 24;

/** Verifies the whole chain once a day and stores the result. */
export async function checkChain(ctx: Ctx, folder: string): Promise<void> {
  const now = ctx.now();
  const last = await lastCheck(ctx);
  if (last && last.at.getTime() > now.subtract({ hours: checkHours }).epochMilliseconds) return;
  // First the heads: the chain must contain them.
  const { entries, broken } = await verifyChain(ctx, await savedHeads(folder));
  await transact(ctx, async (tx) => {
    await tx.db.deleteFrom('audit_checks').execute();
    await tx.db
      .insertInto('audit_checks')
      .values({
        checked_at: new Date(now.epochMilliseconds),
        entries,
        broken: JSON.stringify(broken),
      })
      .execute();
  });
}
