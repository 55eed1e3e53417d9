import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { expectFair } from '../../../../tests/components/fair.ts';
import { recordedAt, recordedFor } from '../../../../tests/components/recorded.ts';

const main = page.getByRole('main');
const from = main.getByText(/^Opens at \d?\d:\d\d [AP]M on Tue, Nov 24$/);
const client = recordedFor('client')['appointments.mine'];
const doctor = recordedFor('doctor')['appointments.mine'];

const emptyRoom = { admitted: true, providerHere: false, peers: [] };

function soon<A extends { id: string }>(one: A, minutes: number, changes: object = {}): A {
  const startsAt = recordedAt('client').getTime() + minutes * 60_000;
  return {
    ...one,
    status: 'confirmed',
    sessionType: 'online',
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(startsAt + 3_600_000).toISOString(),
    actions: [],
    ...changes,
  };
}

const places: [where: string, as: 'client' | 'doctor', path: string, name: string][] = [
  ['a client’s home', 'client', '/home', client[0]!.provider.name],
  ['the sessions tab', 'client', '/profile?tab=sessions', client[0]!.provider.name],
  ['Today’s Schedule', 'doctor', '/home', doctor[0]!.client.name],
];

for (const [where, as, path, name] of places)
  test(`${where} opens an online session, and shows when it opens`, async () => {
    const one = as === 'client' ? client[0]! : doctor[0]!;
    const open = (minutes: number, changes?: object) =>
      openPage(path, {
        as,
        answers: { 'appointments.mine': [soon(one, minutes, changes)], 'video.room': emptyRoom },
      });
    await open(30);
    const join = main.getByRole('link', { name: `Join the session with ${name}` }).first();
    await expect.element(join).toBeVisible();
    await expect.element(from.first()).toBeVisible();
    await open(9);
    await expect.element(join).toBeVisible();
    await expect.element(from).not.toBeInTheDocument();
    await open(9, { sessionType: 'phone' });
    await expect.element(main.getByRole('link', { name: `Open session with ${name}` }).first()).toBeVisible();
    await open(9);
    await join.click();
    await expect.poll(address).toBe(`/session/${one.id}`);
  });

test('a home with Join is accessible', async () => {
  await openPage('/home', { as: 'client', answers: { 'appointments.mine': [soon(client[0]!, 9)] } });
  await expect.element(main.getByRole('link', { name: /^Join/ })).toBeVisible();
  await expectFair('a home with Join');
});

const writes: [where: string, as: 'client' | 'doctor', path: string, within: Locator, to: string][] = [
  ['an appointment', 'client', '/home', page.getByRole('article'), client[0]!.provider.id],
  [
    'Today’s Schedule',
    'doctor',
    '/home',
    page.getByRole('region', { name: "Today's Schedule" }),
    doctor[0]!.client.id,
  ],
  [
    'a client’s page',
    'doctor',
    `/clients/${recordedFor('doctor')['care.clients.get'].id}`,
    main,
    recordedFor('doctor')['care.clients.get'].id,
  ],
];

for (const [where, as, path, within, to] of writes)
  test(`Message on ${where} opens the conversation`, async () => {
    const sessions = as === 'client' ? [soon(client[0]!, 60)] : [soon(doctor[0]!, 60)];
    await openPage(path, { as, answers: { 'appointments.mine': sessions } });
    await within
      .getByRole('link', { name: /^Message to / })
      .first()
      .click();
    await expect.poll(address).toBe(`/messages/new?to=${to}`);
  });
