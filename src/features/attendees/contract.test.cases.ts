import { newId } from '#/platform/clock.ts';
import type { Cases, NamesBy } from '../../../tests/support/contract-cases.ts';
import { mailedToken } from '../../../tests/support/guests.ts';
import type { Made, Stage } from '../../../tests/support/stage.ts';

export function guestsOn(stage: Stage) {
  const { server, db, call, newClient, booked } = stage;

  async function asked() {
    const one = await booked({ services: ['couples'] }, 'couples');
    const email = `${newId()}@guests.example`;
    const input = { appointmentId: one.appointmentId, email };
    const { guests } = await call<{ guests: Made[] }>(one.client, 'attendees.invite', input);
    await server.database.runJobs();
    const { starts_at } = await db
      .selectFrom('appointments')
      .select('starts_at')
      .where('id', '=', one.appointmentId)
      .executeTakeFirstOrThrow();
    const token = await mailedToken(server.database, email);
    return { ...one, guestId: guests[0]!.id, token, startsAt: starts_at.toISOString() };
  }

  async function accepting() {
    const { token, startsAt, appointmentId } = await asked();
    const guest = await newClient();
    await call(guest, 'attendees.accept', { token, startsAt });
    return { guest, appointmentId };
  }

  return { asked, accepting };
}

export function cases(stage: Stage): Cases {
  const { server, db, newClient, inHours, booked } = stage;
  const { asked, accepting } = guestsOn(stage);
  return {
    'attendees.invite': async () => {
      const { client: by, appointmentId } = await booked({ services: ['couples'] }, 'couples');
      return { by, input: { appointmentId }, about: appointmentId };
    },
    'attendees.resend': async () => {
      const { client: by, guestId, appointmentId } = await asked();
      await db
        .updateTable('session_guests')
        .set({ sent_at: new Date(inHours(-24)) })
        .where('id', '=', guestId)
        .execute();
      return { by, input: { guestId }, about: appointmentId };
    },
    'attendees.withdraw': async () => {
      const { client: by, guestId, appointmentId } = await asked();
      return { by, input: { guestId }, about: appointmentId };
    },
    'attendees.invitation': async () => {
      const { token } = await asked();
      return { by: server.guest, input: { token } };
    },
    'attendees.accept': async () => {
      const { token, startsAt, appointmentId } = await asked();
      return { by: await newClient(), input: { token, startsAt }, about: appointmentId };
    },
    'attendees.decline': async () => {
      const { token, appointmentId } = await asked();
      return { by: server.guest, input: { token }, about: appointmentId };
    },
    'attendees.formerAccept': async () => {
      const { token, startsAt, appointmentId } = await asked();
      return { by: await newClient(), input: { token, startsAt }, about: appointmentId };
    },
    'attendees.formerDecline': async () => {
      const { token, appointmentId } = await asked();
      return { by: server.guest, input: { token }, about: appointmentId };
    },
    'attendees.leave': async () => {
      const { guest: by, appointmentId } = await accepting();
      return { by, input: { appointmentId }, about: appointmentId };
    },
    'attendees.formerInvitation': async () => {
      const { token } = await asked();
      return { by: server.guest, input: { token } };
    },
  };
}

export const updates: NamesBy = {
  'booking.changed other self': [
    'attendees.invite',
    'attendees.resend',
    'attendees.withdraw',
    'attendees.accept',
    'attendees.formerAccept',
    'attendees.leave',
  ],
  'booking.changed other': ['attendees.decline', 'attendees.formerDecline'],
};

export const jobs: NamesBy = {
  'notifications.guest-invited': ['attendees.invite', 'attendees.resend'],
  'notifications.guest-answered': [
    'attendees.accept',
    'attendees.decline',
    'attendees.formerAccept',
    'attendees.formerDecline',
    'attendees.leave',
  ],
  'video.guest_answered': [
    'attendees.accept',
    'attendees.decline',
    'attendees.formerAccept',
    'attendees.formerDecline',
    'attendees.leave',
  ],
};
