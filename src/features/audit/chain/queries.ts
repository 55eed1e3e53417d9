import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import type { Ctx, Database } from '#/platform/context.ts';
import type { Keyring } from '#/platform/keyring.ts';
import { digestBytes } from '#/platform/tokens.ts';
import { canonicalForm, type Break, type SealedEntry, type SealVersion } from './rules.ts';

export const anchorOf = (seq: number) => `audit_seals.anchor:${seq}`;

export const beginning: Buffer = Buffer.alloc(32);

export function digestOf(entry: SealedEntry, version: SealVersion): Buffer {
  return digestBytes(canonicalForm(entry, version));
}

/** Hashes the previous hash, big-endian 64-bit sequence number and entry digest. */
export function hashOf(before: Buffer, seq: number, digest: Buffer): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(seq));
  return digestBytes(before, number, digest);
}

/** The columns that the chain covers; `e` is the table. */
export const sealedColumns = sql`
  e.id, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, e.actor_kind, e.actor_id,
  e.actor_name, e.action, e.category, e.subject_kind, e.subject_id, e.details, e.request_id, e.success,
  encode(e.address_mark, 'hex') as address_mark`;

export interface ChainState {
  /** Up to the first break. */
  entries: number;
  waiting: number;
  head: string | null;
  broken: Break | null;
}

const stride = 5_000;

type ChainWalk = {
  seq: number;
  entry_id: string;
  digest: Buffer;
  hash: Buffer;
  anchor: string | null;
  version: SealVersion;
  address: string | null;
  salt: Buffer | null;
  /** The address's account was erased, as logged. */
  erased: boolean;
} & (SealedEntry | { [Column in keyof SealedEntry]: null });

/** Verifies the chain in one snapshot; it must contain all `outside` heads. */
export async function verifyChain(
  { db, keyring }: Pick<Ctx, 'db' | 'keyring'>,
  outside: Iterable<string> = [],
): Promise<ChainState> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx);
      const { rows } = await sql<{ count: number }>`select count(*) as count from audit_unsealed`.execute(tx);
      const waiting = rows[0]!.count;
      const walk = await walkSeals(tx, keyring, new Set(outside));
      const broken = walk.broken ?? (await findStrayEntry(tx));
      return { ...walk, waiting, broken };
    });
}

async function walkSeals(
  db: Kysely<Database>,
  keyring: Keyring,
  headsToSee: Set<string>,
): Promise<Omit<ChainState, 'waiting'>> {
  let [last, seq] = [beginning, 0];
  let anchor: string | null = null;
  const ended = (broken: Break | null) => ({
    entries: seq,
    head: seq === 0 ? null : last.toString('hex'),
    broken,
  });
  for (;;) {
    const { rows } = await sql<ChainWalk>`
      select s.seq, s.entry_id, s.digest, s.hash, s.anchor, s.version, ${sealedColumns}, p.address, p.salt,
        p.address is null and exists (select from audit_erased o
          join audit_entries told on told.subject_id = o.person_id and told.action = 'account_erased'
          where o.person_id = case when e.actor_kind = 'guest' then e.subject_id else e.actor_id end) as erased
      from audit_seals s left join audit_entries e on e.id = s.entry_id
        left join audit_personal p on p.entry_id = s.entry_id
      where s.seq > ${seq} order by s.seq limit ${stride}`.execute(db);
    for (const row of rows) {
      if (row.seq !== seq + 1) return ended({ kind: 'seal_removed', seq: seq + 1 });
      if (row.id === null) return ended({ kind: 'entry_removed', seq: row.seq, entryId: row.entry_id });
      const digest = digestOf(row, row.version);
      if (!digest.equals(row.digest)) {
        const kind = (await isSealed(db, digest)) ? 'entry_moved' : 'entry_changed';
        return ended({ kind, seq: row.seq, entryId: row.entry_id });
      }
      const hash = hashOf(last, row.seq, digest);
      if (!hash.equals(row.hash)) return ended({ kind: 'seal_changed', seq: row.seq });
      const address = addressBreak(row);
      if (address) return ended({ kind: address, seq: row.seq, entryId: row.entry_id });
      [last, seq, anchor] = [hash, row.seq, row.anchor];
      headsToSee.delete(hash.toString('hex'));
    }
    if (rows.length < stride) break;
  }
  // The last anchor covers earlier ones, whose keys may be retired.
  if (seq > 0 && anchor === null) return ended({ kind: 'anchor_missing', seq });
  if (anchor !== null && !isAnchor(keyring, anchor, seq, last)) return ended({ kind: 'anchor_wrong', seq });
  const [gone] = headsToSee;
  return ended(gone === undefined ? null : { kind: 'head_gone', hash: gone });
}

/** Version 1 entries have no address mark. */
function addressBreak(row: ChainWalk & SealedEntry) {
  if (row.version === 1) return null;
  if (row.address_mark === null) return row.address === null ? null : 'address_added';
  if (row.address === null) return row.erased ? null : 'address_removed';
  const mark = digestBytes(row.salt ?? '', row.address).toString('hex');
  return mark === row.address_mark ? null : 'address_changed';
}

async function isSealed(db: Kysely<Database>, digest: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('audit_seals')
    .select('seq')
    .where('digest', '=', digest)
    .limit(1)
    .execute();
  return found.length > 0;
}

function isAnchor(keyring: Keyring, anchor: string, seq: number, hash: Buffer): boolean {
  try {
    return keyring.open(anchor, anchorOf(seq)) === hash.toString('hex');
  } catch {
    // Anything that doesn't decrypt isn't this seal's anchor.
    return false;
  }
}

/** Inserted entries, and removed ones awaiting a seal. */
async function findStrayEntry(db: Kysely<Database>): Promise<Break | null> {
  const inserted = await sql<{ id: string }>`
    select e.id from audit_entries e
      left join audit_seals s on s.entry_id = e.id
      left join audit_unsealed u on u.at = e.at and u.entry_id = e.id
     where s.seq is null and u.entry_id is null order by e.at, e.id limit 1`.execute(db);
  if (inserted.rows[0]) return { kind: 'entry_inserted', entryId: inserted.rows[0].id };
  const removed = await sql<{ entry_id: string }>`
    select u.entry_id from audit_unsealed u left join audit_entries e on e.id = u.entry_id and e.at = u.at
     where e.id is null order by u.at, u.entry_id limit 1`.execute(db);
  return removed.rows[0] ? { kind: 'waiting_removed', entryId: removed.rows[0].entry_id } : null;
}

/** The last seal, its hash in hex. */
export async function headOf(db: Kysely<Database>): Promise<{ seq: number; hash: string } | null> {
  const head = await db
    .selectFrom('audit_seals')
    .select(['seq', 'hash'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return head ? { seq: head.seq, hash: head.hash.toString('hex') } : null;
}

export const headFiles = (folder: string) => ({
  heads: join(folder, 'audit-heads.log'),
  before: join(folder, 'audit-heads.1.log'),
  restores: join(folder, 'audit-restores.log'),
});

interface SavedHead {
  hash: string;
  at: Temporal.Instant;
}

/** Returns heads required in the chain. Skips those before the last restore, since a backup's chain ends earlier. */
export async function savedHeads(folder: string, others: readonly SavedHead[] = []): Promise<Set<string>> {
  const files = headFiles(folder);
  const linesOf = async (file: string) => (await readFile(file, 'utf8').catch(() => '')).split('\n');
  // A full disk truncates lines.
  const kept = [...(await linesOf(files.before)), ...(await linesOf(files.heads))].flatMap((line) => {
    const [, hash, at] = /^\d+ ([\da-f]{64}) (\S+Z)$/.exec(line) ?? [];
    return hash && at ? [{ hash, at: Temporal.Instant.from(at) }] : [];
  });
  const restored = (await linesOf(files.restores)).findLast((line) => line.endsWith('Z'));
  const since = restored ? Temporal.Instant.from(restored) : null;
  const counts = ({ at }: SavedHead) => !since || Temporal.Instant.compare(at, since) > 0;
  return new Set([...kept, ...others].filter(counts).map(({ hash }) => hash));
}

/** The last check; null before the first. */
export async function lastCheck({ db }: Pick<Ctx, 'db'>) {
  const row = await db
    .selectFrom('audit_checks')
    .select(['checked_at', 'entries', 'broken'])
    .orderBy('checked_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { at: row.checked_at, entries: row.entries, broken: row.broken as Break | null } : null;
}
