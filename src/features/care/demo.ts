import type { KeyObject } from 'node:crypto';
import type { Role } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { actAs } from '#/platform/demo.ts';
import { changeNote, writeNote } from './notes/commands.ts';
import { setSharing } from './sharing/commands.ts';

export interface DemoCare {
  client: { id: string };
  doctor: DemoAuthor;
  pastor: DemoAuthor;
}

interface DemoAuthor {
  id: string;
  /** A session whose words are unlocked. */
  visit: { sessionId: string; sessionKey: KeyObject };
}

export async function seedCare(ctx: Ctx, { client, doctor, pastor }: DemoCare): Promise<void> {
  const as = (id: string, role: Role, at?: Temporal.Instant) => actAs(ctx, { id, role }, at);
  const asAuthor = ({ id, visit }: DemoAuthor, role: Role, at: Temporal.Instant): Ctx => {
    const { sessionId, sessionKey } = visit;
    return { ...as(id, role, at), actor: { kind: 'person', id, role, sessionId }, sessionKey };
  };
  const sessionsWith = async (providerId: string) => {
    const rows = await ctx.db
      .selectFrom('appointments')
      .select(['id', 'ends_at'])
      .where('provider_id', '=', providerId)
      .where('client_id', '=', client.id)
      .where('status', '=', 'completed')
      .orderBy('starts_at', 'desc')
      .limit(2)
      .execute();
    return rows.map(({ id, ends_at }) => ({
      id,
      // Providers write notes 15 minutes after a session.
      after: Temporal.Instant.fromEpochMilliseconds(ends_at.getTime() + 15 * 60_000),
    }));
  };
  const [last, before] = await sessionsWith(doctor.id);
  if (before) {
    await writeNote(as(doctor.id, 'doctor', before.after), 'session', {
      clientId: client.id,
      appointmentId: before.id,
      text: 'Sleeping four to five hours a night since the summer. Asked directly about thoughts of harming herself; none. Agreed: a fixed bedtime, and one line a day on how the night went.',
    });
  }
  if (last) {
    const note = await writeNote(as(doctor.id, 'doctor', last.after), 'session', {
      clientId: client.id,
      appointmentId: last.id,
      text: 'Sleeping about six hours now. The evening walk helps. Next: what she tells herself when the house is quiet.',
    });
    await changeNote(as(doctor.id, 'doctor', last.after.add({ minutes: 20 })), 'session', {
      noteId: note.id,
      text: 'Sleeping about six hours now. The evening walk with her husband helps. Next: what she tells herself when the house is quiet.',
    });
    await writeNote(asAuthor(doctor, 'doctor', last.after), 'private', {
      clientId: client.id,
      appointmentId: last.id,
      text: 'I noticed how much I wanted to reassure her. Go slower next time, and let the silence be.',
    });
  }
  const [talk] = await sessionsWith(pastor.id);
  if (talk) {
    await writeNote(asAuthor(pastor, 'pastor', talk.after), 'private', {
      clientId: client.id,
      text: 'Psalm 34 meant a lot to her. Pray for her mother on Thursday.',
    });
  }
  if (last) {
    const shared = { profile: true, goals: true, progress: true };
    await setSharing(as(client.id, 'client'), { providerId: doctor.id, ...shared });
  }
}
