import type { Self } from '#/features/access/rules.ts';
import { invalidField } from '#/kernel/errors.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { changeHours } from '../commands.ts';
import type { HolidaysView } from '../contract.ts';
import { lockHours, todayIn } from '../queries.ts';
import { holidaysOf, holidaysView, lastDate, requireRegion } from './queries.ts';

const extendedAtOnce = 500;

/** Replaces observed holidays; the provider's date overrides stay. */
export async function saveHolidays(
  ctx: Ctx,
  providerId: Self,
  { region, names: wanted }: { region: string; names: readonly string[] },
): Promise<HolidaysView> {
  await requireRegion(region);
  return changeHours(ctx, providerId, async (tx, { timeZone }) => {
    const today = todayIn(tx, timeZone);
    const holidays = await holidaysOf(region, today, lastDate(today));
    const offered = new Set(holidays.map(({ name }) => name));
    const names = [...new Set(wanted)];
    const unknown = wanted.findIndex((name) => !offered.has(name));
    if (unknown >= 0) throw invalidField(`names.${unknown}`, 'not_an_option');
    await tx.db.deleteFrom('kept_holidays').where('provider_id', '=', providerId).execute();
    await tx.db
      .deleteFrom('date_exceptions')
      .where('provider_id', '=', providerId)
      .where('date', '>=', today)
      .where('holiday', 'is not', null)
      // Keeps opt-outs from holidays still observed.
      .where(({ or, eb }) =>
        or([eb('windows', 'is not', null), ...(names.length > 0 ? [eb('holiday', 'not in', names)] : [])]),
      )
      .execute();
    if (names.length > 0) {
      await tx.db
        .insertInto('kept_holidays')
        .values({ provider_id: providerId, region, names, filled_until: today })
        .execute();
      await fillHolidays(tx, providerId);
    }
    return {
      answer: await holidaysView(tx, providerId, region),
      change: { action: 'availability.holidays_kept', details: { region, holidays: names.length } },
    };
  });
}

/** Adds observed holidays; date overrides stay. */
export async function fillHolidays(tx: TxCtx, providerId: string): Promise<void> {
  const row = await tx.db
    .selectFrom('kept_holidays')
    .innerJoin('providers', 'providers.id', 'provider_id')
    .select(['region', 'names', 'time_zone'])
    .where('provider_id', '=', providerId)
    .executeTakeFirst();
  if (!row) return;
  const today = todayIn(tx, row.time_zone);
  const until = lastDate(today);
  const holidays = await holidaysOf(row.region, today, until);
  // The map merges two holidays on one date.
  const dates = new Map(
    holidays
      .filter(({ name }) => row.names.includes(name))
      .flatMap((holiday) => holiday.dates.map((date) => [date, holiday.name] as const)),
  );
  if (dates.size > 0) {
    await tx.db
      .insertInto('date_exceptions')
      .values(
        [...dates].map(([date, name]) => ({
          provider_id: providerId,
          date,
          windows: '[]',
          note: name,
          holiday: name,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await tx.db
    .updateTable('kept_holidays')
    .set({ filled_until: until })
    .where('provider_id', '=', providerId)
    .execute();
}

/** Adds newly upcoming holidays; runs hourly. */
export async function extendHolidays(ctx: Ctx): Promise<void> {
  // Recalculates each provider monthly, so up to a month late.
  const soon = ctx.now().toZonedDateTimeISO('UTC').toPlainDate().subtract({ months: 1 }).toString();
  const rows = await ctx.db
    .selectFrom('kept_holidays')
    .select('provider_id')
    .where('filled_until', '<', lastDate(soon))
    .orderBy('filled_until')
    .limit(extendedAtOnce)
    .execute();
  for (const { provider_id } of rows) {
    await transact(ctx, async (tx) => {
      await lockHours(tx, provider_id);
      await fillHolidays(tx, provider_id);
      await recordDone(tx, {
        action: 'availability.holidays_extended',
        subject: { kind: 'provider', id: provider_id },
      });
    });
  }
}
