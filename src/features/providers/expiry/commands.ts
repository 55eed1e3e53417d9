import { sql } from 'kysely';
import { topicsOf } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { followAccount } from '../practice/commands.ts';
import { servingProviders } from './queries.ts';
import { flaggedUntil } from './rules.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'providers.licence_ending': { providerId: string; until: string };
    'providers.licence_ended': { providerId: string; until: string };
    /** Delayed event for the moment licenses expire. */
    'providers.licence_due': { providerId: string };
  }
}

const batch = 100;
/** Minutes before midnight UTC within which the hourly run schedules the event. */
const alarmMinutes = 90;

/**
 * Updates `licensed_until` from approved credentials: the latest end date, counting only licenses for doctors who have
 * one. Relists a hidden provider once a credential is valid.
 */
export async function followCredentials(tx: TxCtx, providerId: string): Promise<void> {
  await sql`
    update providers set licensed_until = (
      select case when bool_or(c.expires_on is null) then null else max(c.expires_on) end
        from provider_credentials c
       where c.provider_id = providers.id and c.state = 'approved'
         and (c.kind = 'licence' or profiles.role = 'pastor' or not exists (
           select from provider_credentials l
            where l.provider_id = providers.id and l.state = 'approved' and l.kind = 'licence')))
      from profiles
     where profiles.id = providers.id and providers.id = ${providerId}`.execute(tx.db);
  await followAccount(tx, providerId);
}

/**
 * Announces licenses expiring within the notice period and hides providers whose license has expired, notifying each
 * once. Runs hourly, and at midnight UTC through a delayed event.
 */
export async function followLicenses(ctx: Ctx): Promise<void> {
  const today = ctx.now().toString().slice(0, 10);
  for (let more = true; more;) {
    more = await transact(ctx, async (tx) => {
      const rows = await tx.db
        .updateTable('providers')
        .set(({ ref }) => ({ expiry_announced: ref('licensed_until') }))
        .where('id', 'in', ({ ref }) =>
          servingProviders(tx)
            .select('providers.id')
            .where('licensed_until', '>=', today)
            .where('licensed_until', '<=', flaggedUntil(today))
            .where('expiry_announced', 'is distinct from', ref('licensed_until'))
            .limit(batch),
        )
        .returning(['id', 'licensed_until as until'])
        .execute();
      for (const { id, until } of rows) {
        await tx.emit(tx, 'providers.licence_ending', { providerId: id, until: until! });
        await notifyScreens(tx, id);
      }
      return rows.length === batch;
    });
  }
  const ended = await servingProviders(ctx)
    .select('providers.id')
    .where('licensed_until', '<', today)
    .where('expiry_told', 'is distinct from', ({ ref }) => ref('licensed_until'))
    .execute();
  for (const { id } of ended) await endLicense(ctx, id);
  const midnight = Temporal.PlainDate.from(today).add({ days: 1 }).toZonedDateTime('UTC').toInstant();
  if (ctx.now().until(midnight).total('minutes') > alarmMinutes) return;
  const due = await ctx.db.selectFrom('providers').select('id').where('licensed_until', '=', today).execute();
  await transact(ctx, async (tx) => {
    for (const { id } of due)
      await tx.emit(tx, 'providers.licence_due', { providerId: id }, { startAfter: midnight });
  });
}

/** Hides a provider whose license has expired and notifies them once. Ignores other providers. */
export async function endLicense(ctx: Ctx, providerId: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const row = await tx.db
      .updateTable('providers')
      .set(({ ref }) => ({ expiry_told: ref('licensed_until') }))
      .where('id', 'in', servingProviders(tx).select('providers.id').where('providers.id', '=', providerId))
      .where('licensed_until', '<', tx.now().toString().slice(0, 10))
      .where('expiry_told', 'is distinct from', ({ ref }) => ref('licensed_until'))
      .returning('licensed_until as until')
      .executeTakeFirst();
    if (!row) return;
    await followAccount(tx, providerId);
    await tx.emit(tx, 'providers.licence_ended', { providerId, until: row.until! });
    await notifyScreens(tx, providerId);
  });
}

async function notifyScreens(tx: TxCtx, providerId: string): Promise<void> {
  for (const type of ['providers.listing_changed', 'providers.credentials_changed'])
    await publish(tx, [`person:${providerId}`, ...topicsOf('manage_providers')], { type, id: providerId });
}
