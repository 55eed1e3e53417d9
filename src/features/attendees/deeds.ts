import { newId } from '#/platform/clock.ts';
import type { Deeds, Told } from '../../../tests/support/deeds.ts';
import { mailedToken } from '../../../tests/support/guests.ts';
import type { Made, Stage } from '../../../tests/support/stage.ts';

export function guestsOn(stage: Stage) {
  const { server, db, call, newClient, booked } = stage;

  async function asked() {
    const one = await booked({ services: ['couples'] }, 'couples');
    const email = `${newId()}@guests.example`;
    const input = { appointmentId: one.appointmentId, email };
    const { guests } = await call<{ guests: Made[] }>(one.client, 'guests.invite', input);
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
    await call(guest, 'guests.accept', { token, startsAt });
    return { guest, appointmentId };
  }

  return { asked, accepting };
}

export function deeds(stage: Stage): Deeds {
  const { server, db, newClient, inHours, booked } = stage;
  const { asked, accepting } = guestsOn(stage);
  return {
    'guests.invite': async () => {
      const { client: by, appointmentId } = await booked({ services: ['couples'] }, 'couples');
      return { by, input: { appointmentId }, about: appointmentId };
    },
    'guests.resend': async () => {
      const { client: by, guestId, appointmentId } = await asked();
      await db
        .updateTable('session_guests')
        .set({ sent_at: new Date(inHours(-24)) })
        .where('id', '=', guestId)
        .execute();
      return { by, input: { guestId }, about: appointmentId };
    },
    'guests.withdraw': async () => {
      const { client: by, guestId, appointmentId } = await asked();
      return { by, input: { guestId }, about: appointmentId };
    },
    'guests.invitation': async () => {
      const { token } = await asked();
      return { by: server.guest, input: { token } };
    },
    'guests.accept': async () => {
      const { token, startsAt, appointmentId } = await asked();
      return { by: await newClient(), input: { token, startsAt }, about: appointmentId };
    },
    'guests.decline': async () => {
      const { token, appointmentId } = await asked();
      return { by: server.guest, input: { token }, about: appointmentId };
    },
    'guests.formerAccept': async () => {
      const { token, startsAt, appointmentId } = await asked();
      return { by: await newClient(), input: { token, startsAt }, about: appointmentId };
    },
    'guests.formerDecline': async () => {
      const { token, appointmentId } = await asked();
      return { by: server.guest, input: { token }, about: appointmentId };
    },
    'guests.leave': async () => {
      const { guest: by, appointmentId } = await accepting();
      return { by, input: { appointmentId }, about: appointmentId };
    },
    'guests.formerInvitation': async () => {
      const { token } = await asked();
      return { by: server.guest, input: { token } };
    },
  };
}

export const tells: Told = {
  'booking.changed other self': [
    'guests.invite',
    'guests.resend',
    'guests.withdraw',
    'guests.accept',
    'guests.formerAccept',
    'guests.leave',
  ],
  'booking.changed other': ['guests.decline', 'guests.formerDecline'],
};

export const starts: Told = {
  'notifications.guest-invited': ['guests.invite', 'guests.resend'],
  'notifications.guest-answered': [
    'guests.accept',
    'guests.decline',
    'guests.formerAccept',
    'guests.formerDecline',
    'guests.leave',
  ],
  'notifications.reminder': ['guests.accept', 'guests.formerAccept'],
  'video.guest_answered': [
    'guests.accept',
    'guests.decline',
    'guests.formerAccept',
    'guests.formerDecline',
    'guests.leave',
  ],
};
