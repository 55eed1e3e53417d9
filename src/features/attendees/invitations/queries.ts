import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Invitation } from '../contract.ts';
import { invitationState, plainFirstName } from '../rules.ts';
import { requireInvitation, type InvitationRow } from '../policies.ts';

export function stateFor({ actor, now }: Ctx, row: InvitationRow): Invitation['state'] {
  const self = actor.kind === 'person' ? actor.id : null;
  return invitationState(
    { state: row.state, status: row.status, end: row.ends_at.getTime() },
    {
      party: self === row.client_id || self === row.provider_id,
      accepted: self !== null && self === row.person_id,
      now: now().epochMilliseconds,
    },
  );
}

/** Reads an invitation, hiding the session unless accepted or still open. */
export async function invitationOf(ctx: Ctx, token: string): Promise<Invitation> {
  const row = await requireInvitation(ctx, token);
  const state = stateFor(ctx, row);
  if (state !== 'open' && state !== 'accepted') return { state, session: null };
  const names = await ctx.db
    .selectFrom('providers')
    .innerJoin('profiles as provider', 'provider.id', 'providers.id')
    .innerJoin('profiles as client', (join) => join.on('client.id', '=', row.client_id))
    .select(['provider.full_name as provider_name', 'client.full_name as client_name', 'title'])
    .select('providers.time_zone')
    .where('providers.id', '=', row.provider_id)
    .executeTakeFirstOrThrow();
  return {
    state,
    session: {
      appointmentId: row.appointment_id,
      inviter: plainFirstName(names.client_name) ?? names.client_name,
      guestName: row.name,
      provider: { name: names.provider_name, title: names.title },
      sessionType: row.session_type,
      startsAt: isoOf(row.starts_at),
      endsAt: isoOf(row.ends_at),
      timeZone: names.time_zone,
      confirmed: row.status === 'confirmed',
      moved: row.told_start !== null && row.told_start.getTime() !== row.starts_at.getTime(),
    },
  };
}
