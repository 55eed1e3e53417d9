import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { authorize } from '#/features/access/rules.ts';
import { maxPlanned } from '#/features/accounts/users/contract.ts';
import { offers } from '#/features/settings/flags/queries.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { diariesOf } from '../diary/queries.ts';
import { bookingSettings } from '../offer/queries.ts';
import { decideBooking, durationOffered } from '../diary/rules.ts';
import type { Appointment } from '../appointment/tables.ts';
import type { HandoverView, UpcomingSession } from './contract.ts';
import { canReassign, maxCandidates, maxTakers } from '../appointment/rules.ts';
import { type Acting, actingFor, requireOffered } from '../appointment/policies.ts';

/** Returns which of these appointments have guests, invited or accepted; src/app provides it. */
export type WithGuests = (ctx: Ctx, appointmentIds: readonly string[]) => Promise<ReadonlySet<string>>;

export interface SessionToSettle {
  own: Acting;
  row: Appointment;
  withGuests: boolean;
}

/** Returns upcoming sessions by start, up to the per-plan limit. */
export async function sessionsToSettle(
  ctx: Ctx,
  providerId: string,
  withGuests: WithGuests,
): Promise<SessionToSettle[]> {
  return upcomingSessions(ctx, providerId, withGuests, maxPlanned);
}

async function upcomingSessions(
  ctx: Ctx,
  providerId: string,
  withGuests: WithGuests,
  limit: number,
): Promise<SessionToSettle[]> {
  authorize(ctx.actor, ['manage_appointments']);
  const rows = await ctx.db
    .selectFrom('appointments')
    .selectAll()
    .where('provider_id', '=', providerId)
    .where('status', 'in', ['pending', 'confirmed'])
    .where('starts_at', '>', new Date(ctx.now().epochMilliseconds))
    .orderBy('starts_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  const shared = await withGuests(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    own: actingFor(row),
    row,
    withGuests: shared.has(row.id),
  }));
}

export async function handoverOf(
  ctx: Ctx,
  providerId: string,
  withGuests: WithGuests,
): Promise<HandoverView> {
  authorize(ctx.actor, ['manage_appointments']);
  const provider = requireOffered(
    await ctx.db
      .selectFrom('providers')
      .innerJoin('profiles', 'profiles.id', 'providers.id')
      .select(['approval_revoked_at', 'approval_revoked_reason'])
      .where('providers.id', '=', providerId)
      .where('erased_at', 'is', null)
      .executeTakeFirst(),
  );
  const found = await upcomingSessions(ctx, providerId, withGuests, maxPlanned + 1);
  const sessions = found.slice(0, maxPlanned);
  const [names, takers] = await Promise.all([namesOf(ctx, sessions), replacementsFor(ctx, sessions)]);
  return {
    revoked: provider.approval_revoked_at && {
      at: provider.approval_revoked_at.toISOString(),
      reason: provider.approval_revoked_reason ?? '',
    },
    sessions: sessions.map(({ row }): UpcomingSession => ({
      id: row.id,
      sequence: row.sequence,
      status: row.status,
      sessionType: row.session_type,
      startsAt: isoOf(row.starts_at.getTime()),
      endsAt: isoOf(row.ends_at.getTime()),
      service: names.services.get(row.service_id) ?? '',
      client: names.clients.get(row.client_id) ?? '',
      takers: takers.get(row.id) ?? [],
    })),
    more: found.length > sessions.length,
  };
}

async function namesOf({ db }: Ctx, sessions: readonly SessionToSettle[]) {
  const clientIds = [...new Set(sessions.map(({ row }) => row.client_id))];
  const serviceIds = [...new Set(sessions.map(({ row }) => row.service_id))];
  if (sessions.length === 0)
    return { clients: new Map<string, string>(), services: new Map<string, string>() };
  const [clients, services] = await Promise.all([
    db.selectFrom('users').select(['id', 'name']).where('id', 'in', clientIds).execute(),
    db.selectFrom('services').select(['id', 'title']).where('id', 'in', serviceIds).execute(),
  ]);
  return {
    clients: new Map(clients.map(({ id, name }) => [id, name])),
    services: new Map(services.map(({ id, title }) => [id, title])),
  };
}

interface Candidate {
  id: string;
  name: string;
  serviceId: string;
  serviceMinutes: number;
  sessionLengths: readonly number[] | null;
  sessionTypes: readonly SessionType[];
  offersVideo: boolean;
}

async function candidatesFor(ctx: Ctx, serviceIds: readonly string[], except: string): Promise<Candidate[]> {
  return ctx.db
    .selectFrom('providers')
    .innerJoin('profiles', 'profiles.id', 'providers.id')
    .innerJoin('provider_services', 'provider_services.provider_id', 'providers.id')
    .innerJoin('services', 'services.id', 'service_id')
    .select([
      'providers.id',
      'full_name as name',
      'service_id as serviceId',
      'duration_minutes as serviceMinutes',
      'session_lengths as sessionLengths',
      'session_types as sessionTypes',
    ])
    .select(({ ref }) =>
      offers('video_sessions', { id: ref('providers.id'), kind: ref('providers.kind') }).as('offersVideo'),
    )
    .where('listed', '=', true)
    .where('services.active', '=', true)
    .where('service_id', 'in', serviceIds)
    .where('providers.id', '<>', except)
    .orderBy('providers.position')
    .orderBy('providers.slug')
    .limit(maxCandidates)
    .execute();
}

/** Replacements under the booking rules, without notice. */
async function replacementsFor(
  ctx: Ctx,
  sessions: readonly SessionToSettle[],
): Promise<Map<string, { id: string; name: string }[]>> {
  const open = sessions.filter(canReassign);
  const [first] = open;
  if (!first) return new Map();
  const serviceIds = [...new Set(open.map(({ row }) => row.service_id))];
  const candidates = await candidatesFor(ctx, serviceIds, first.own.providerId);
  const span = {
    start: first.row.starts_at.getTime(),
    end: Math.max(...open.map(({ row }) => row.ends_at.getTime())),
  };
  const [settings, diaries] = await Promise.all([
    bookingSettings(ctx),
    diariesOf(ctx, [...new Set(candidates.map(({ id }) => id))], span),
  ]);
  const now = ctx.now().epochMilliseconds;
  return new Map(
    open.map(({ row }) => {
      const start = row.starts_at.getTime();
      const durationMinutes = (row.ends_at.getTime() - start) / 60_000;
      const takers: { id: string; name: string }[] = [];
      for (const one of candidates) {
        if (takers.length === maxTakers) break;
        const diary = diaries.get(one.id);
        const fits =
          diary &&
          one.id !== row.client_id &&
          one.serviceId === row.service_id &&
          one.sessionTypes.includes(row.session_type) &&
          (row.session_type !== 'online' || one.offersVideo) &&
          durationOffered(durationMinutes, one.serviceMinutes, one.sessionLengths);
        if (!fits) continue;
        const input = { start, durationMinutes, recurrence: 'one_time' as const, sessions: 1 };
        const terms = { diary, own: [], settings, inPerson: false, withoutNotice: true, now };
        const [decided] = decideBooking({ ...terms, input });
        if (decided!.refusal === null) takers.push({ id: one.id, name: one.name });
      }
      return [row.id, takers];
    }),
  );
}
