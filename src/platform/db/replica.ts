import { sql, type Kysely } from 'kysely';
import type { Ctx, Database, Replica } from '../context.ts';
import type { Log } from '../log.ts';
import { asOutage, DatabaseDown, sqlState } from './outage.ts';

/** Maximum age of a read, in milliseconds. */
const maxBehindMs = 2_000;
/** Between two checks. */
const checkMs = 500;
/** Timeout of a check. */
const patienceMs = 1_000;
/** Timeout of a read there. */
export const replicaAnswersWithinMs = 3_000;
/** After a failure. */
const restMs = 5_000;

/** Recovery conflicts, and migrations not replayed yet. */
const transient = new Set(['40001', '42P01', '42703', '42883']);

/**
 * Runs a read on the replica while that keeps up, else on the primary server. If the replica fails, the read runs again
 * there, so it must not write.
 */
export function onReplica<Input extends unknown[], Result>(
  read: (ctx: Ctx, ...input: Input) => Promise<Result>,
): (ctx: Ctx, ...input: Input) => Promise<Result> {
  return async (ctx, ...input) => {
    const { replica } = ctx;
    const db = replica && !ctx.db.isTransaction ? await replica.current() : null;
    if (!replica || !db) return read(ctx, ...input);
    try {
      return await read({ ...ctx, db }, ...input);
    } catch (error) {
      if (!(error instanceof DatabaseDown) && !transient.has(sqlState(error) ?? '')) throw error;
      replica.failed(error);
      return read(ctx, ...input);
    }
  };
}

/**
 * Opens a hot standby of `primary`. A position in the log that it has replayed bounds its age: it is at most as old as
 * that position on the primary server.
 */
export function openReplica(
  primary: Kysely<Database>,
  replica: Kysely<Database>,
  log: Pick<Log, 'info' | 'warn'>,
  clock: () => number = () => performance.now(),
): Replica {
  /** The primary server's position; null once replayed. */
  let mark: { server: string; position: string; at: number } | null = null;
  let currentAt = -Infinity;
  let checkedAt = -Infinity;
  let restUntil = -Infinity;
  let checking: Promise<void> | null = null;
  let used: boolean | null = null;

  async function check(): Promise<void> {
    const at = clock();
    if (!mark) {
      const { rows } = await sql<{ server: string; position: string }>`
        select system_identifier::text as server, pg_current_wal_insert_lsn()::text as position
          from pg_control_system()`.execute(primary);
      mark = { ...rows[0]!, at };
    }
    // A late check may run beside the next one.
    const asked = mark;
    // Excludes promoted replicas and other servers.
    const { rows } = await sql<{ reached: boolean | null }>`
      select pg_is_in_recovery() and system_identifier::text = ${asked.server}
          and pg_last_wal_replay_lsn() >= ${asked.position}::pg_lsn as reached
        from pg_control_system()`.execute(replica);
    if (!rows[0]!.reached) return;
    currentAt = Math.max(currentAt, asked.at);
    if (mark === asked) mark = null;
  }

  function failed(error: unknown): void {
    restUntil = clock() + restMs;
    currentAt = -Infinity;
    mark = null;
    note(false, error);
  }

  function note(keepsUp: boolean, error?: unknown): void {
    if (keepsUp === used) return;
    used = keepsUp;
    if (keepsUp) log.info('the replica takes reads');
    else log.warn({ err: error }, 'the replica is behind or down: the primary server takes its reads');
  }

  const isCurrent = () => clock() - currentAt <= maxBehindMs;

  return {
    failed,
    async current() {
      const now = clock();
      if (now < restUntil) return null;
      if (now - checkedAt >= checkMs) {
        checkedAt = now;
        checking ??= within(check())
          .catch(failed)
          .finally(() => (checking = null));
      }
      // Otherwise, the check runs beside reads.
      if (!isCurrent()) await checking;
      if (clock() < restUntil) return null;
      if (isCurrent()) note(true);
      else if (mark && clock() - mark.at > maxBehindMs) note(false);
      return isCurrent() ? replica : null;
    },
  };
}

async function within(check: Promise<void>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(asOutage(new Error('no answer'), true) as Error), patienceMs);
  });
  await Promise.race([check, tooLate]).finally(() => clearTimeout(late));
}
