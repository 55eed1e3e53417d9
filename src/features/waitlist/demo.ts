import type { Ctx } from '#/platform/context.ts';
import { actAs } from '#/platform/demo.ts';
import { joinForEarlierTime } from './commands.ts';
import { partOf } from './rules.ts';

/** Puts the demo client on the waiting list for an earlier time. */
export async function seedWait(
  ctx: Ctx,
  { client, doctor }: { client: { id: string; timeZone: string }; doctor: { id: string } },
): Promise<void> {
  const session = await ctx.db
    .selectFrom('appointments')
    .select(['id', 'starts_at'])
    .where('client_id', '=', client.id)
    .where('provider_id', '=', doctor.id)
    .where('status', '=', 'confirmed')
    .where('starts_at', '>', new Date(ctx.now().add({ hours: 24 }).epochMilliseconds))
    .orderBy('starts_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!session) return;
  const taken = await ctx.db
    .selectFrom('appointments')
    .select('starts_at')
    .where('client_id', '!=', client.id)
    .where('provider_id', '=', doctor.id)
    .where('status', 'in', ['pending', 'confirmed'])
    .where('starts_at', '>', new Date(ctx.now().add({ hours: 48 }).epochMilliseconds))
    .where('starts_at', '<', session.starts_at)
    .orderBy('starts_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const local = (at: Date) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(client.timeZone);
  const wanted = local((taken ?? session).starts_at);
  await joinForEarlierTime(actAs(ctx, { id: client.id, role: 'client' }), {
    appointmentId: session.id,
    untilDate: local(session.starts_at).toPlainDate().toString(),
    weekdays: [wanted.dayOfWeek],
    dayParts: [partOf(wanted.hour)],
    timeZone: client.timeZone,
  });
}
