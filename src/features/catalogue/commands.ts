import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { clearPageCache, publish } from '#/platform/realtime/publish.ts';
import { authorize, topicsOf } from '#/features/access/rules.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { changesIn } from '#/features/audit/rules.ts';
import type { ManagedService, SeenService, ServiceInput } from './contract.ts';
import { managedService, managedServices } from './queries.ts';
import { serviceIdFrom, serviceLimits } from './rules.ts';

/** PostgreSQL error code: row still referenced. */
const foreignKeyViolation = '23503';

/**
 * Appends an active service, once if repeated. Throws invalid `taken` for a duplicate title, `repeated` for duplicate lengths, conflict
 * `services_full`.
 */
export async function addService(ctx: Ctx, input: ServiceInput): Promise<ManagedService> {
  return change(ctx, async (tx) => {
    const others = await managedServices(tx);
    const repeated = others.find((one) => one.version === 1 && isSame(one, input));
    if (repeated) return repeated;
    if (others.length >= serviceLimits.services) throw new AppError('conflict', 'services_full');
    requireOwnTitle(input.title, others);
    requireOnePrice(input);
    const id = serviceIdFrom(
      input.title,
      others.map((one) => one.id),
    );
    await tx.db
      .insertInto('services')
      .values(({ selectFrom, fn, lit }) => ({
        ...serviceColumns(input),
        id,
        position: selectFrom('services').select(({ eb }) =>
          eb(fn.coalesce(fn.max('position'), lit(0)), '+', lit(1)).as('next'),
        ),
        based_on: '',
        support_offered: '',
        issues_addressed: [],
        spiritual_themes: '[]',
        created_at: new Date(tx.now().epochMilliseconds),
      }))
      .execute();
    await record(tx, 'added', id, { minutes: input.durationMinutes, priceCents: input.priceCents });
    return managedService(tx, id);
  });
}

/** Edits a service, once if repeated; price and length changes affect future bookings only. */
export async function editService(ctx: Ctx, input: ServiceInput & SeenService): Promise<ManagedService> {
  return change(ctx, async (tx) => {
    const before = await managedService(tx, input.serviceId);
    if (isSame(before, input)) return before;
    requireVersion(before, input);
    requireOnePrice(input);
    requireOwnTitle(
      input.title,
      (await managedServices(tx)).filter(({ id }) => id !== before.id),
    );
    const after = await write(tx, before, serviceColumns(input));
    await record(tx, 'edited', before.id, changeDetails(before, after));
    return after;
  });
}

/** Repeating it changes nothing. Existing bookings remain. */
export async function setServiceActive(
  ctx: Ctx,
  { active, ...seen }: SeenService & { active: boolean },
): Promise<ManagedService> {
  return change(ctx, async (tx) => {
    const before = await managedService(tx, seen.serviceId);
    if (before.active === active) return before;
    requireVersion(before, seen);
    const after = await write(tx, before, { active });
    await record(tx, active ? 'activated' : 'deactivated', before.id, changeDetails(before, after));
    return after;
  });
}

/** Deletes a service; throws conflict `service_in_use` if still referenced. */
export async function removeService(ctx: Ctx, seen: SeenService): Promise<void> {
  await change(ctx, async (tx) => {
    const { id } = requireVersion(await managedService(tx, seen.serviceId), seen);
    try {
      await tx.db.deleteFrom('services').where('id', '=', id).execute();
    } catch (error) {
      if (sqlState(error) === foreignKeyViolation) throw new AppError('conflict', 'service_in_use');
      throw error;
    }
    await record(tx, 'deleted', id);
  });
}

/** Serializes catalog changes and makes readers refetch. */
async function change<T>(ctx: Ctx, work: (tx: TxCtx) => Promise<T>): Promise<T> {
  authorize(ctx.actor, ['manage_services']);
  return transact(ctx, async (tx) => {
    // This lock mode blocks neither reads nor bookings.
    await sql`lock table services in share row exclusive mode`.execute(tx.db);
    const done = await work(tx);
    await publish(tx, topicsOf('manage_services'), { type: 'catalogue.changed', id: '' });
    await clearPageCache(tx);
    return done;
  });
}

/** Throws conflict `changed` if the version differs. */
function requireVersion(found: ManagedService, { version }: SeenService): ManagedService {
  if (found.version !== version) throw new AppError('conflict', 'changed');
  return found;
}

/** Recognizes a repeated input, whose answer was lost. */
function isSame(stored: ManagedService, input: ServiceInput): boolean {
  return isDeepStrictEqual(serviceColumns(stored), serviceColumns({ ...stored, ...input }));
}

function requireOwnTitle(title: string, others: readonly ManagedService[]): void {
  const wanted = title.toLowerCase();
  if (others.some((other) => other.title.toLowerCase() === wanted)) throw invalidField('title', 'taken');
}

/** Throws invalid `repeated` for a length given twice. */
function requireOnePrice({ durationMinutes, lengthPrices = [] }: ServiceInput): void {
  const lengths = [durationMinutes, ...lengthPrices.map(({ minutes }) => minutes)];
  if (new Set(lengths).size < lengths.length) throw invalidField('lengthPrices', 'repeated');
}

function serviceColumns({ lengthPrices, ...input }: ServiceInput) {
  const { title, category, description, durationMinutes, priceCents } = input;
  return {
    title,
    category,
    description,
    duration_minutes: durationMinutes,
    price_cents: priceCents,
    ...(lengthPrices && { length_prices: JSON.stringify(lengthPrices) }),
  };
}

async function write(
  tx: TxCtx,
  { id, version }: ManagedService,
  values: ReturnType<typeof serviceColumns> | { active: boolean },
): Promise<ManagedService> {
  await tx.db
    .updateTable('services')
    .set({ ...values, version: version + 1 })
    .where('id', '=', id)
    .execute();
  return managedService(tx, id);
}

/** For the log; free text only as changed. */
function changeDetails(before: ManagedService, after: ManagedService): Record<string, string> {
  const named = (['title', 'description'] as const).filter((field) => before[field] !== after[field]);
  return {
    ...Object.fromEntries(named.map((field) => [field, 'changed'])),
    ...changesIn(closed(before), closed(after)),
  };
}

function closed({ category, durationMinutes, priceCents, active, lengthPrices }: ManagedService) {
  return {
    category,
    durationMinutes,
    priceCents,
    active,
    lengthPrices: lengthPrices.map((one) => `${one.minutes} min: ${one.priceCents}`),
  };
}

async function record(
  tx: TxCtx,
  what: ActionAfter<'service.'>,
  id: string,
  details: Record<string, string | number> = {},
): Promise<void> {
  await recordDone(tx, {
    action: `service.${what}`,
    // In details: log subjects need a UUID.
    details: { serviceId: id, ...details },
  });
}
