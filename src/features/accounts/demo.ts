import type { Role } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { createAccount, setPassword } from './commands.ts';
import { hashPassword } from './password/commands.ts';

/** The password of every demo account. */
export const demoPassword = 'peace-be-with-you';

let demoHash: Promise<string> | null = null;

/** Makes a demo account, verified at once; hashes the one password once. Returns the id, of the account that is there if there is one. */
export async function createDemoAccount(
  ctx: Ctx,
  account: { email: string; name: string; role: Role; timeZone: string | null },
): Promise<string> {
  demoHash ??= hashPassword(demoPassword);
  const password = await demoHash;
  return transact(ctx, async (tx) => {
    const there = await tx.db
      .selectFrom('users')
      .where('email', '=', account.email.toLowerCase())
      .select('id')
      .executeTakeFirst();
    if (there) return there.id;
    const id = await createAccount(tx, { ...account, emailVerified: true });
    await setPassword(tx, id, password);
    return id;
  });
}
