import { invalidField } from '#/kernel/errors.ts';
import type { Interval } from '#/kernel/interval.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Self } from '#/features/access/rules.ts';
import { scheduleOf } from '#/features/availability/queries.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import type { BookInput } from '../booking/contract.ts';
import type { FreeStarts, StartRefusal } from '../appointment/contract.ts';
import { bookingSettings, placeRows } from '../offer/queries.ts';
import { commitmentsOf, entriesOf } from '../diary/queries.ts';
import { appointmentView } from '../appointment/queries.ts';
import { decideBooking, openStartsByPlace, seriesSpan } from '../diary/rules.ts';
import type { SeriesScope } from '../series/contract.ts';
import { movingTogether } from '../series/queries.ts';
import {
  requireAdministered,
  requirePartyWith,
  requireListed,
  type Membership,
} from '../appointment/policies.ts';

const longestQuestion = 62 * 24 * 3_600_000;

/** Returns a listed provider's free times. `moving` treats that appointment's time as free. */
export async function freeStarts(
  ctx: Ctx,
  input: {
    providerId: string;
    from: string;
    to: string;
    durationMinutes: number;
    sessionType?: SessionType | undefined;
    moving?: string | undefined;
    scope?: SeriesScope | undefined;
  },
): Promise<FreeStarts> {
  const within = spanOf(input);
  const moving =
    input.moving === undefined ? null : await requirePartyWith(ctx, input.moving, input.providerId);
  // Clients of unlisted providers can still reschedule.
  if (!moving) await requireListed(ctx, input.providerId);
  const sessionType = moving
    ? (await appointmentView(ctx, moving.appointmentId)).sessionType
    : input.sessionType;
  return startsIn(ctx, within, {
    providerId: input.providerId,
    durationMinutes: input.durationMinutes,
    inPerson: sessionType === 'in-person',
    // Providers skip advance notice when moving a session or booking a client.
    withoutNotice: moving ? moving.party === 'provider' : isActor(ctx, input.providerId),
    moving: moving ? await movingWith(ctx, moving, input.scope) : [],
  });
}

async function movingWith(ctx: Ctx, own: Membership, scope: SeriesScope | undefined): Promise<string[]> {
  return scope === undefined ? [own.appointmentId] : movingTogether(ctx, own, scope);
}

/** Returns times an administrator can move an appointment to, optionally ignoring advance notice. */
export async function startsForBoth(
  ctx: Ctx,
  input: { appointmentId: string; from: string; to: string; withoutNotice: boolean },
): Promise<FreeStarts> {
  const { providerId } = await requireAdministered(ctx, input.appointmentId);
  const row = await ctx.db
    .selectFrom('appointments')
    .select(['starts_at', 'ends_at', 'session_type'])
    .where('id', '=', input.appointmentId)
    .executeTakeFirstOrThrow();
  return startsIn(ctx, spanOf(input), {
    providerId,
    durationMinutes: (row.ends_at.getTime() - row.starts_at.getTime()) / 60_000,
    inPerson: row.session_type === 'in-person',
    withoutNotice: input.withoutNotice,
    moving: [input.appointmentId],
  });
}

function spanOf({ from, to }: { from: string; to: string }): Interval {
  const within = {
    start: Temporal.Instant.from(from).epochMilliseconds,
    end: Temporal.Instant.from(to).epochMilliseconds,
  };
  if (within.end <= within.start) throw invalidField('to', 'before_from');
  if (within.end - within.start > longestQuestion) throw invalidField('to', 'too_far');
  return within;
}

interface WantedStarts {
  providerId: string;
  durationMinutes: number;
  inPerson: boolean;
  withoutNotice: boolean;
  moving: readonly string[];
}

async function startsIn(
  ctx: Ctx,
  within: Interval,
  { providerId, durationMinutes, moving, ...terms }: WantedStarts,
): Promise<FreeStarts> {
  const [settings, schedule, entries] = await Promise.all([
    bookingSettings(ctx),
    scheduleOf(ctx, providerId),
    entriesOf(ctx, providerId, within, moving),
  ]);
  const diary = { schedule, ...entries };
  const now = ctx.now().epochMilliseconds;
  const lists = openStartsByPlace({ diary, settings, ...terms, now }, durationMinutes, within);
  const starts = lists.flatMap((list) => list.starts).toSorted((a, b) => a - b);
  return {
    timeZone: schedule.timeZone,
    starts: starts.map(isoOf),
    places: await placesOf(ctx, lists),
  };
}

function isActor({ actor }: Ctx, personId: string): boolean {
  return actor.kind === 'person' && actor.id === personId;
}

async function placesOf(
  ctx: Ctx,
  lists: readonly { placeId: string | null; starts: readonly number[] }[],
): Promise<FreeStarts['places']> {
  const starts = new Map(
    lists.flatMap((list) => (list.placeId === null ? [] : [[list.placeId, list.starts] as const])),
  );
  if (starts.size === 0) return [];
  const rows = await placeRows(ctx)
    .where('id', 'in', [...starts.keys()])
    .orderBy('position')
    .execute();
  return rows.map(({ id, name, town }) => ({
    id,
    name,
    town,
    starts: starts.get(id)!.map(isoOf),
  }));
}

/** Checks a planned series for clashes, reserving nothing. */
export async function checkSeries(
  ctx: Ctx,
  client: Self,
  input: Pick<BookInput, 'providerId' | 'startsAt' | 'durationMinutes' | 'recurrence' | 'sessions'> & {
    sessionType?: SessionType | undefined;
  },
): Promise<{ startsAt: string; refusal: StartRefusal | null }[]> {
  await requireListed(ctx, input.providerId);
  const start = Temporal.Instant.from(input.startsAt).epochMilliseconds;
  const span = seriesSpan(start, input);
  const parties = { providerId: input.providerId, clientId: client };
  const [settings, schedule, { entries, own }] = await Promise.all([
    bookingSettings(ctx),
    scheduleOf(ctx, input.providerId),
    commitmentsOf(ctx, parties, span),
  ]);
  const diary = { schedule, ...entries };
  const now = ctx.now().epochMilliseconds;
  const inPerson = input.sessionType === 'in-person';
  const decided = decideBooking({ input: { ...input, start }, diary, own, settings, inPerson, now });
  return decided.map((session) => ({ startsAt: isoOf(session.start), refusal: session.refusal }));
}
