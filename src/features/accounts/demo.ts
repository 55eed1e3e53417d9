import type { Role } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { hashPassword, provePassword, type KnownPassword } from '#/platform/password-hash.ts';
import { StartError } from '#/platform/start-error.ts';
import { createAccount, setPassword } from './commands.ts';

export const demoPassword = 'peace-be-with-you';

let known: Promise<KnownPassword> | null = null;

/** The shared password, hashed once. */
export function knownDemoPassword(): Promise<KnownPassword> {
  known ??= hashPassword(demoPassword);
  return known;
}

/** Creates a verified demo account. Returns the existing account's id, if any. */
export async function createDemoAccount(
  ctx: Ctx,
  account: { email: string; name: string; role: Role; timeZone: string | null },
): Promise<string> {
  const { hash } = await knownDemoPassword();
  return transact(ctx, async (tx) => {
    const there = await tx.db
      .selectFrom('users')
      .where('email', '=', account.email.toLowerCase())
      .select('id')
      .executeTakeFirst();
    if (there) return there.id;
    const id = await createAccount(tx, { ...account, emailVerified: true });
    await setPassword(tx, id, hash);
    return id;
  });
}

/**
 * Throws if any account still uses the public demo password. Verifies only accounts with a demo address or a shared
 * hash: no others can be demo accounts.
 */
export async function requireNoDemoPassword({ db }: Pick<Ctx, 'db'>): Promise<void> {
  const suspects = await db
    .selectFrom('credentials')
    .innerJoin('users', 'users.id', 'credentials.user_id')
    .where('password', 'is not', null)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('users.email', 'like', '%@italk.example'),
        eb(
          'password',
          'in',
          selectFrom('credentials')
            .select('password')
            .groupBy('password')
            .having(({ fn }) => fn.countAll(), '>', 1),
        ),
      ]),
    )
    .select('password')
    .distinct()
    .execute();
  for (const { password } of suspects)
    if (await provePassword(demoPassword, password!))
      throw new StartError(
        'This database has demo accounts, and anyone can sign in to them with the published password. Set DATABASE_URL to a database without demo data.',
      );
}
