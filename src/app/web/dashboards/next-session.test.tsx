import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedAt, recordedFor } from '../../../../tests/components/recorded.ts';

const [one] = recordedFor('doctor')['appointments.mine'];
const client = one!.client;
const next = page.getByRole('region', { name: 'Next session' });
const current = page.getByRole('region', { name: 'Now', exact: true });

function session(minutes: number, changes: object = {}): object {
  const startsAt = recordedAt('doctor').getTime() + minutes * 60_000;
  return {
    ...one!,
    id: crypto.randomUUID(),
    status: 'confirmed',
    sessionType: 'online',
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(startsAt + 3_600_000).toISOString(),
    actions: [],
    ...changes,
  };
}

function openHome(sessions: readonly object[], waiting: readonly object[] = []): Promise<void> {
  return openPage('/home', {
    as: 'doctor',
    answers: {
      'appointments.mine': sessions,
      'video.room': { admitted: true, providerHere: false, peers: waiting },
    },
  });
}

test('shows a specialist the next session with Join, Message and a note', async () => {
  await openHome([
    session(-120),
    session(-60, { status: 'pending' }),
    session(5, { id: '01a20ca3-0000-7000-8000-000000000001' }),
  ]);
  await expect.element(next.getByRole('link', { name: client.name, exact: true })).toBeVisible();
  await expect
    .element(next.getByRole('link', { name: `Join the session with ${client.name}` }))
    .toHaveAttribute('href', '/session/01a20ca3-0000-7000-8000-000000000001');
  await expect
    .element(next.getByRole('link', { name: /^Message to / }))
    .toHaveAttribute('href', `/messages/new?to=${client.id}`);
  await expect
    .element(next.getByRole('link', { name: /^Write a note about the session with / }))
    .toHaveAttribute('href', `/clients/${client.id}?about=01a20ca3-0000-7000-8000-000000000001`);
  await expectFair('a next session');
});

test('shows who is waiting in the room of the current session', async () => {
  const peer = { peerId: 'a', personId: client.id, name: client.name, part: 'client', waiting: true };
  await openHome([session(-5)], [peer]);
  await expect.element(current.getByRole('status')).toHaveTextContent(`${client.name} is waiting to join.`);
});

test('shows no next session when nothing is booked', async () => {
  await openHome([session(-120), session(60, { status: 'cancelled' })]);
  await expect.element(page.getByText('Nothing else is booked.')).toBeVisible();
  await expect.element(next).not.toBeInTheDocument();
});
