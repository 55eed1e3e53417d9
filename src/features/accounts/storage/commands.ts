import { AsyncLocalStorage } from 'node:async_hooks';
import { getAdapter } from 'better-auth/db/adapter';
import type { BetterAuthOptions, DBAdapter, Where } from 'better-auth/types';
import type { Insertable, Kysely } from 'kysely';
import type { Role } from '#/kernel/actor.ts';
import { AppError } from '#/kernel/errors.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { requireOn } from '#/features/settings/flags/policies.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Ctx, Database, TxCtx } from '#/platform/context.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import { transact } from '#/platform/db/transact.ts';
import { provePassword, type KnownPassword } from '#/platform/password-hash.ts';
import { closeSockets } from '#/platform/realtime/publish.ts';
import { digest } from '#/platform/tokens.ts';
import { openWordsAtSignIn } from '../author-keys/commands.ts';
import { createAccount, grantAdministration } from '../commands.ts';
import { blockedUntil, mayUsePrograms, passwordHashOf, personOf, refuseHeld } from '../queries.ts';
import { actingRole, sessionEnd } from '../rules.ts';
import { rememberDevice, trustDevice, type RememberedDevice } from '../known-devices/commands.ts';
import { mayTrustDevices } from '../known-devices/rules.ts';
import { checkSecondStep } from '../second-factor/commands.ts';
import { deleteEndedSessions, noteActive } from '../session/commands.ts';
import type { SessionsTable } from '../tables.ts';
import { countPasskeyUse, type ProvenPasskey } from '../webauthn/commands.ts';

export interface Visit {
  ctx: Ctx;
  userId?: string | undefined;
  /** True for sign-in links: these accounts have no password to reauthenticate with. */
  fresh?: boolean | undefined;
  passwordHash?: string | undefined;
  /** The right password: unlocks the session's words. */
  password?: KnownPassword | undefined;
  code?: string | undefined;
  /** Later sign-ins here skip the second step. */
  trustsDevice?: boolean | undefined;
  /** Proves a passkey, which counts as both steps. */
  passkey?: ((tx: TxCtx) => Promise<ProvenPasskey>) | undefined;
  /** The linked identity that signs in. */
  identityId?: string | null | undefined;
  /** Whether a texted code signs in. */
  byPhone?: boolean | undefined;
  /** The browser's previous session, ended by signing in. */
  formerToken: string | null;
  deviceToken: (userId: string) => string | null;
  byProgram: boolean;
  device?: RememberedDevice | undefined;
  /** Whether to email about an unknown device. */
  tellsOfNewDevice?: boolean | undefined;
  backupCodes?: string[] | undefined;
  /** The original error: Better Auth replaces it. */
  failure?: Error | undefined;
}

const visits = new AsyncLocalStorage<Visit>();

/** Runs Better Auth on `ctx.db`, even in transactions. */
export function within<T>(visit: Visit, work: () => Promise<T>): Promise<T> {
  return visits.run(visit, work);
}

export function currentVisit(): Visit {
  const visit = visits.getStore();
  if (!visit) throw new Error('no request for the identity library');
  return visit;
}

interface StorageConfig {
  adminEmails: readonly string[];
  /** Whether addresses count as verified without confirmation. */
  trustsAddresses: boolean;
}

interface LibrarySession {
  id: string;
  userId: string;
  token: string;
  userAgent?: string | null;
}

/**
 * Wraps Better Auth's Kysely adapter: accounts and sessions change in one transaction with audit entries and events.
 * Stores session tokens as hashes.
 */
export function identityStorage(config: StorageConfig): (options: BetterAuthOptions) => DBAdapter {
  return (options) => {
    const adapters = new WeakMap<Kysely<Database>, Promise<DBAdapter>>();
    const inner = () => {
      const { db } = currentVisit().ctx;
      let adapter = adapters.get(db);
      if (!adapter) {
        adapter = getAdapter({ ...options, database: { db, type: 'postgres' } });
        adapters.set(db, adapter);
      }
      return adapter;
    };

    const endSession = (where: Where[]) =>
      transactVisit(async (tx) => {
        const adapter = await inner();
        const session = await adapter.findOne<LibrarySession>({ model: 'session', where });
        if (!session) return;
        await adapter.delete({ model: 'session', where });
        await closeSockets(tx, `session:${session.id}`);
        await recordSession(tx, 'signed_out', await personOf(tx, session.userId), session.id);
      });

    const storage = {
      id: 'italk',
      create: async ({ model, data, ...rest }) => {
        if (model === 'user') return createUser(data as never, config);
        if (model === 'session') return createSession(data as never, config.adminEmails);
        return (await inner()).create({ model, data, ...rest });
      },
      findOne: async ({ model, where, ...rest }) => {
        const found = await (await inner()).findOne({ model, where: stored(model, where), ...rest });
        const token = model === 'session' && where.find(({ field }) => field === 'token')?.value;
        return token && found ? { ...found, token } : found;
      },
      findMany: async ({ model, where, ...rest }) =>
        (await inner()).findMany({ model, where: where && stored(model, where), ...rest }),
      count: async ({ model, where }) =>
        (await inner()).count({ model, where: where && stored(model, where) }),
      update: async ({ model, where, update }) => {
        return (await inner()).update({ model, where: stored(model, where), update });
      },
      updateMany: async ({ model, where, update }) =>
        (await inner()).updateMany({ model, where: stored(model, where), update }),
      delete: async ({ model, where }) => {
        if (model === 'session') return endSession(stored(model, where));
        return (await inner()).delete({ model, where });
      },
      deleteMany: async ({ model, where }) =>
        (await inner()).deleteMany({ model, where: stored(model, where) }),
      consumeOne: async ({ model, where }) =>
        (await inner()).consumeOne({ model, where: stored(model, where) }),
      incrementOne: async (data) => (await inner()).incrementOne(data),
      transaction: (work) => transactVisit(() => work(storage)),
    } as DBAdapter;
    return storage;
  };
}

function transactVisit<T>(work: (tx: TxCtx) => Promise<T>): Promise<T> {
  const visit = currentVisit();
  return transact(visit.ctx, (tx) => {
    const inside: Visit = { ...visit, ctx: tx };
    return within(inside, () => work(tx)).finally(() => {
      const { failure, backupCodes, device } = inside;
      Object.assign(visit, { failure, backupCodes, device });
    });
  });
}

async function createUser(
  data: { name: string; email: string; image?: string | null },
  config: StorageConfig,
) {
  const visit = currentVisit();
  const emailVerified = config.trustsAddresses;
  const role = emailVerified && config.adminEmails.includes(data.email) ? 'super_admin' : 'client';
  try {
    return {
      ...data,
      id: await createAccount(visit.ctx, { ...data, role, emailVerified }),
      emailVerified,
    };
  } catch (error) {
    if (error instanceof Error) visit.failure = error;
    throw error;
  }
}

function createSession(data: Omit<LibrarySession, 'id'>, adminEmails: readonly string[]) {
  return transactVisit(async (tx) => {
    const id = tx.newId();
    // The first locks the account, so what the others read stays true.
    const [, { session_timeout: idleMinutes }, person] = await Promise.all([
      requireOpen(tx, data.userId, adminEmails),
      siteSettings(tx),
      grantAdministration(tx, data.userId, adminEmails).then(() => personOf(tx, data.userId)),
    ]);
    const { passkey, passed } = await secondStep(tx, person);
    const now = new Date(tx.now().epochMilliseconds);
    const expiresAt = new Date(sessionEnd(tx.now(), tx.now(), idleMinutes).epochMilliseconds);
    const [device] = await Promise.all([
      rememberDevice(tx, data.userId, currentVisit().deviceToken(data.userId)),
      deleteEndedSessions(tx, data.userId),
    ]);
    currentVisit().device = device;
    if (currentVisit().trustsDevice && mayTrustDevices(person) && (passed === 'code' || passkey)) {
      await trustDevice(tx, device.id, data.userAgent?.slice(0, 300) ?? null);
      await recordDone(
        { ...tx, actor: { kind: 'person', id: data.userId, role: person.role, sessionId: id } },
        { action: 'device_trusted', subject: { kind: 'person', id: data.userId } },
      );
    }
    await storeSession(tx.db, {
      id,
      user_id: data.userId,
      token: digest(data.token),
      expires_at: expiresAt,
      ip_address: tx.address,
      user_agent: data.userAgent?.slice(0, 300) ?? null,
      device_id: device.id,
      reauthenticated_at: currentVisit().fresh ? now : null,
      // Two steps, where two are set up.
      fully_reauthenticated_at: currentVisit().fresh && passed !== 'device' ? now : null,
      passkey_id: passkey?.id ?? null,
      identity_id: currentVisit().identityId ?? null,
      by_phone: currentVisit().byPhone ?? false,
      created_at: now,
      updated_at: now,
    });
    const { userId: personId, token } = data;
    const { password } = currentVisit();
    if (password || passkey)
      await openWordsAtSignIn(tx, { personId, sessionId: id, token, password, passkey });
    await Promise.all([noteActive(tx, data.userId), endPreviousSession(tx)]);
    await recordSession(tx, 'signed_in', person, id);
    if (device.isNew && currentVisit().tellsOfNewDevice)
      await tx.emit(tx, 'accounts.secured', { userId: data.userId, change: 'new_device' });
    return { ...data, id, expiresAt, createdAt: now, updatedAt: now };
  });
}

function stored(model: string, where: Where[]): Where[] {
  if (model !== 'session') return where;
  return where.map((condition) => {
    const { field, value } = condition;
    if (field !== 'token') return condition;
    return {
      ...condition,
      value: Array.isArray(value) ? value.map((one) => digest(String(one))) : digest(String(value)),
    };
  });
}

/** Otherwise its token would keep working, though no browser has it. */
async function endPreviousSession(tx: TxCtx): Promise<void> {
  const { formerToken } = currentVisit();
  if (formerToken === null) return;
  const former = await tx.db
    .deleteFrom('sessions')
    .where('token', '=', digest(formerToken))
    .returning(['id', 'user_id'])
    .executeTakeFirst();
  if (!former) return;
  await closeSockets(tx, `session:${former.id}`);
  await recordSession(tx, 'signed_out', await personOf(tx, former.user_id), former.id);
}

/**
 * Throws forbidden `account_suspended` or `address_held`, `wrong_credentials` for deleted accounts, or not_found
 * `feature_off` in a program that the person may not use. Keeps the error on the visit, because Better Auth replaces it.
 */
async function requireOpen(tx: TxCtx, userId: string, adminEmails: readonly string[]): Promise<void> {
  const { passwordHash } = currentVisit();
  const [[account], until, hash] = await Promise.all([
    lockedStatus(tx.db, { userId }),
    blockedUntil(tx, userId),
    passwordHash === undefined ? undefined : passwordHashOf(tx, userId),
  ]);
  const deleted = account?.delete_after && account.delete_after.getTime() <= tx.now().epochMilliseconds;
  try {
    if (deleted) throw new AppError('unauthenticated', 'wrong_credentials');
    if (account?.suspended_at) throw new AppError('forbidden', 'account_suspended');
    refuseHeld(until);
    await requirePasswordStill(hash);
    if (currentVisit().byProgram) await requireCovered(tx, userId, adminEmails);
  } catch (error) {
    if (error instanceof Error) currentVisit().failure = error;
    throw error;
  }
}

async function requireCovered(tx: TxCtx, userId: string, adminEmails: readonly string[]): Promise<void> {
  const person = await personOf(tx, userId);
  const role = actingRole(person, adminEmails);
  requireOn(await mayUsePrograms(tx, { id: userId, role }), 'mobile_app_access');
}

/** Suspending, deleting or setting a password ends all sessions; the lock blocks new ones meanwhile. */
const lockedStatus = compiledOnce((db, { userId }: { userId: string }) =>
  db
    .selectFrom('profiles')
    .where('id', '=', userId)
    .select(['suspended_at', 'delete_after'])
    .forNoKeyUpdate(),
);

const storeSession = compiledOnce((db, session: Insertable<SessionsTable>) =>
  db.insertInto('sessions').values(session),
);

/** The password may have changed after it matched, or another sign-in renewed its hash. */
async function requirePasswordStill(now: string | undefined): Promise<void> {
  const visit = currentVisit();
  const { passwordHash, password } = visit;
  if (now === passwordHash) return;
  const proven = now && password && (await provePassword(password.password, now));
  if (!proven) throw new AppError('unauthenticated', 'wrong_credentials');
  visit.password = proven;
}

/** Returns what passed it, if anything. */
async function secondStep(
  tx: TxCtx,
  person: { id: string; role: Role },
): Promise<{ passkey: ProvenPasskey | null; passed: 'code' | 'device' | null }> {
  const visit = currentVisit();
  try {
    if (visit.passkey) {
      const proven = await visit.passkey(tx);
      await countPasskeyUse(tx, person.id, proven);
      return { passkey: proven, passed: null };
    }
    const { backupCodes, passed } = await checkSecondStep(tx, person, {
      code: visit.code,
      deviceToken: visit.byProgram ? null : visit.deviceToken(person.id),
    });
    if (backupCodes) visit.backupCodes = backupCodes;
    return { passkey: null, passed };
  } catch (error) {
    if (error instanceof Error) visit.failure = error;
    throw error;
  }
}

async function recordSession(
  tx: TxCtx,
  action: Action,
  { id, role }: { id: string; role: Role },
  sessionId: string,
): Promise<void> {
  await recordDone(
    { ...tx, actor: { kind: 'person', id, role, sessionId } },
    { action, subject: { kind: 'person', id } },
  );
}
