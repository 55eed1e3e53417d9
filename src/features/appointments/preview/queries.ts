import type { Self } from '#/features/access/rules.ts';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { blockBounds, blockRows } from '#/features/availability/blocks/queries.ts';
import { frameOf, scheduleOf } from '#/features/availability/queries.ts';
import { type Schedule, receivesIn } from '#/features/availability/rules.ts';
import { draftProblems } from '#/features/availability/week/rules.ts';
import { bookingSettings } from '../offer/queries.ts';
import { entriesOf } from '../diary/queries.ts';
import { bookingHorizon, openStarts } from '../diary/rules.ts';
import type { AvailabilityPreview, Clashes, PreviewInput, ClashReason } from './contract.ts';
import { overlaps, type Interval } from '#/kernel/interval.ts';
import { restTimes } from '#/features/availability/rest/rules.ts';

const longestQuestion = 62 * 24 * 3_600_000;
const named = 100;

/**
 * Previews free times under draft hours, plus the provider's conflicting sessions. Throws on hours that couldn't be
 * saved; never reveals other people's conflicts.
 */
export async function previewAvailability(
  ctx: Ctx,
  providerId: Self,
  input: PreviewInput,
): Promise<AvailabilityPreview> {
  const within = {
    start: Temporal.Instant.from(input.from).epochMilliseconds,
    end: Temporal.Instant.from(input.to).epochMilliseconds,
  };
  if (within.end <= within.start) throw invalidField('to', 'before_from');
  if (within.end - within.start > longestQuestion) throw invalidField('to', 'too_far');
  const [stored, frame, settings, entries] = await Promise.all([
    scheduleOf(ctx, providerId),
    frameOf(ctx, providerId),
    bookingSettings(ctx),
    entriesOf(ctx, providerId, within),
  ]);
  const problems = draftProblems(input, frame);
  if (problems[0]) throw new AppError('invalid', problems[0].reason, { fields: problems });
  const { timeZone, weekly, terms, rest, dates } = input;
  const schedule = { ...stored, timeZone, weekly, terms, rest, exceptions: dates ?? stored.exceptions };
  const starts = openStarts(
    {
      diary: { schedule, ...entries },
      own: [],
      settings,
      inPerson: input.sessionType === 'in-person',
      now: ctx.now().epochMilliseconds,
    },
    input.durationMinutes,
    within,
  );
  return { timeZone, starts: starts.map(isoOf), clashes: await clashesWith(ctx, providerId, schedule) };
}

export async function ownClashes(ctx: Ctx, providerId: Self): Promise<Clashes> {
  return clashesWith(ctx, providerId, await scheduleOf(ctx, providerId));
}

async function clashesWith(ctx: Ctx, providerId: Self, schedule: Schedule): Promise<Clashes> {
  const now = ctx.now().epochMilliseconds;
  const [rows, blocks] = await Promise.all([
    ctx.db
      .selectFrom('appointments')
      .select(['id', 'starts_at', 'ends_at', 'status', 'session_type', 'place_id', 'contact_name'])
      .where('provider_id', '=', providerId)
      .where('status', 'in', ['pending', 'confirmed'])
      .where('starts_at', '>', new Date(now))
      .orderBy('starts_at')
      .orderBy('id')
      .execute(),
    blockRows(ctx, blockBounds({ start: now, end: now + bookingHorizon }))
      .where('provider_id', '=', providerId)
      .select(['starts_at', 'ends_at'])
      .execute(),
  ]);
  const blocked = blocks.map((row) => ({ start: row.starts_at.getTime(), end: row.ends_at.getTime() }));
  const sessions = rows.flatMap((row) => {
    const session = {
      start: row.starts_at.getTime(),
      end: row.ends_at.getTime(),
      inPerson: row.session_type === 'in-person',
      placeId: row.place_id,
    };
    const reason = clashOf(session, schedule, blocked);
    return reason === null ? [] : [{ row, reason }];
  });
  return {
    sessions: sessions.slice(0, named).map(({ row, reason }) => ({
      appointmentId: row.id,
      startsAt: isoOf(row.starts_at),
      endsAt: isoOf(row.ends_at),
      status: row.status as 'pending' | 'confirmed',
      sessionType: row.session_type,
      clientName: row.contact_name,
      reason,
    })),
    count: sessions.length,
  };
}

/** Instants are epoch milliseconds. */
interface BookedSession extends Interval {
  inPerson: boolean;
  placeId: string | null;
}

/** Returns the conflict or null, ignoring booking terms, which no longer apply. */
function clashOf(
  session: BookedSession,
  schedule: Schedule,
  blocks: readonly Interval[],
): ClashReason | null {
  const rests = restTimes(schedule.rest, schedule.timeZone, session);
  if (rests.some((rest) => overlaps(rest, session))) return 'rest';
  if (blocks.some((block) => overlaps(block, session))) return 'blocked';
  if (receivesIn(session, schedule, session)) return null;
  if (receivesIn(session, schedule, { inPerson: false, placeId: null })) return 'elsewhere';
  const date = Temporal.Instant.fromEpochMilliseconds(session.start)
    .toZonedDateTimeISO(schedule.timeZone)
    .toPlainDate()
    .toString();
  const exception = schedule.exceptions.find((other) => other.date === date);
  return exception?.windows.length === 0 ? 'date_off' : 'outside_hours';
}
