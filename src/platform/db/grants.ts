import { sql, type Kysely } from 'kysely';
import { StartError } from '../start-error.ts';
import type { Database } from '../context.ts';

/** Makes audit tables append-only at runtime. Personal audit data can be deleted: account erasure removes it. */
const withheld = [
  sql`revoke update, delete on audit_entries, audit_seals from`,
  sql`revoke update on audit_personal from`,
  sql`revoke insert, update, delete on kysely_migration, kysely_migration_lock from`,
];

/**
 * Grants the runtime role read and write access to the owner's tables, without altering, dropping, truncating or
 * disabling triggers. Throws a StartError if the role already has owner rights.
 */
export async function grantRuntime(db: Kysely<Database>, account: string): Promise<void> {
  const role = sql.id(account);
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ could: boolean }>`
      select pg_has_role(r.oid, c.relowner, 'member') as could
        from pg_roles r, pg_class c where r.rolname = ${account} and c.oid = 'audit_entries'::regclass`.execute(
      tx,
    );
    if (!rows[0])
      throw new StartError(`The database has no account ${account}, which DATABASE_URL uses. Create it.`);
    if (rows[0].could)
      throw new StartError(
        `The account ${account} in DATABASE_URL can change the tables of the account in DATABASE_OWNER_URL. Use an account that isn’t a superuser or a member of the owner.`,
      );
    for (const schema of ['public', 'jobs'].map((name) => sql.id(name))) {
      await sql`grant usage on schema ${schema} to ${role}`.execute(tx);
      await sql`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`.execute(
        tx,
      );
      await sql`grant usage, select, update on all sequences in schema ${schema} to ${role}`.execute(tx);
      await sql`grant execute on all functions in schema ${schema} to ${role}`.execute(tx);
    }
    for (const statement of withheld) await sql`${statement} ${role}`.execute(tx);
  });
}

/** Returns true if the current role can't disable the audit log's protection. */
export async function isGuarded(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ guarded: boolean }>`
    select not pg_has_role(relowner, 'member') as guarded from pg_class
     where oid = 'audit_entries'::regclass`.execute(db);
  return rows[0]!.guarded;
}

/** SQLSTATE `insufficient_privilege`. */
const insufficientPrivilege = '42501';

/** Runs work that requires table ownership. Throws a StartError if the account of `url` lacks it. */
export async function asOwner<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDenied(error)) throw error;
    throw new StartError(
      `The account ${accountOf(url)} can’t create or change the tables of this database. Set DATABASE_OWNER_URL to the account that owns it.`,
    );
  }
}

function isDenied(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && error.code === insufficientPrivilege) || isDenied(error.cause);
}

export function accountOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}
