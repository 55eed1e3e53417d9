import type { Kysely } from 'kysely';
import { vi } from 'vitest';
import { newId } from '#/platform/clock.ts';
import type { Database } from '#/platform/context.ts';
import type { Line } from './lines.ts';

const asked = new Date('2026-02-01T12:00:00Z');

/** Stores an accepted guest, who by default agreed to confidentiality. */
export async function addGuest(
  db: Kysely<Database>,
  guest: { appointmentId: string; personId: string; name: string; agreed?: boolean },
): Promise<string> {
  const { appointmentId: appointment_id, personId: person_id, name, agreed = true } = guest;
  const id = newId();
  await db
    .insertInto('session_guests')
    .values({
      id,
      appointment_id,
      name,
      email: `${id}@people.example`,
      token_hash: id,
      state: 'accepted',
      person_id,
      invited_at: asked,
      sends: 1,
      sent_at: asked,
      answered_at: asked,
    })
    .execute();
  if (agreed) await agree(db, appointment_id, person_id);
  return id;
}

export async function agree(db: Kysely<Database>, appointment_id: string, person_id: string): Promise<void> {
  await db.insertInto('session_consents').values({ appointment_id, person_id, agreed_at: asked }).execute();
}

/** Enters a room and returns the peer id; throws refusals as `code reason`. */
export async function enter(line: Line, appointmentId: string): Promise<string> {
  const before = line.received.length;
  line.say({ type: 'room.enter', appointmentId });
  // Not a polled expectation: hooks enter rooms, too.
  const { type, data } = await vi.waitFor(
    () => {
      const answer = line.received
        .slice(before)
        .find((received) => received.type === 'room.here' || received.type === 'refused');
      if (!answer) throw new Error('entering was not answered');
      return answer;
    },
    { timeout: 60_000, interval: 5 },
  );
  const { peerId, code, reason } = data as { peerId: string; code: string; reason: string };
  if (type === 'refused') throw new Error(`${code} ${reason}`);
  return peerId;
}

export function refusedLast({ received }: Line): string | null {
  const data = received.findLast(({ type }) => type === 'refused')?.data as
    | { code: string; reason: string }
    | undefined;
  return data ? `${data.code} ${data.reason}` : null;
}

export function changesOf({ received }: Line, appointmentId: string): number {
  return received.filter(({ type, id }) => type === 'room.changed' && id === appointmentId).length;
}
