import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { press } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const doctor = recordedFor('doctor');
const [past] = doctor['appointments.mine'];
const figures = page.getByRole('region', { name: 'Your stats' });
const actions = page.getByRole('region', { name: 'Quick Actions' });

function cards(): Record<string, string> {
  return Object.fromEntries(
    [...figures.element().querySelectorAll('dl > div')].map((card) => [
      card.querySelector('dt')!.textContent,
      card.querySelector('dd')!.textContent,
    ]),
  );
}

test('shows a client’s cards and quick actions', async () => {
  await openPage('/home', { as: 'client' });
  await expect.poll(cards).toEqual({
    'Upcoming Appointments': '3',
    'Unread Messages': expect.stringMatching(/^\d+$/) as string,
    'Sessions This Month': '4',
    'Hours of Care': '6.5',
  });
  for (const [name, path] of [
    ['Wellness Resources', '/resources'],
    ['Update Profile', '/profile'],
  ] as const)
    await expect.element(actions.getByRole('link', { name })).toHaveAttribute('href', path);
  await expect.element(page.getByRole('button', { name: 'Book Appointment' })).toBeEnabled();
  await actions.getByRole('button', { name: 'Book an Appointment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Book Appointment' });
  const [next] = recordedFor('client')['appointments.mine'];
  await expect.element(dialog).toMatchTextContent(`with ${next!.provider.name}`);
  await dialog.getByRole('button', { name: 'Change' }).click();
  await expect.element(dialog.getByLabelText('Service')).toBeVisible();
});

test('shows a specialist’s cards and schedule, with a link to their profile', async () => {
  await openPage('/home', { as: 'doctor' });
  await expect.poll(cards).toMatchObject({
    "Today's Appointments": '5',
    'This Month': '47',
    Rating: expect.stringMatching(/^4\.9/) as string,
  });
  expect(Object.keys(cards())).toContain('Unread Messages');
  await expect.element(page.getByRole('heading', { name: "Today's Schedule" })).toBeVisible();
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await expect.poll(address).toBe('/practice');
});

test('lists yesterday’s sessions without an outcome on a screen left open overnight', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['Date', 'setInterval', 'clearInterval'] });
  await openPage('/home', { as: 'doctor' });
  const asked = () =>
    askedFor('appointments.mine').filter((span) => (span as { order?: string }).order === 'descending');
  await expect.poll(asked).not.toEqual([]);
  const tomorrow = new Date(Date.now() + 86_400_000);
  vi.setSystemTime(tomorrow);
  vi.advanceTimersByTime(30_000);
  await expect
    .poll(() => (asked().at(-1) as { to: string }).to.slice(0, 10))
    .toBe(tomorrow.toISOString().slice(0, 10));
});

test('links a specialist’s quick actions to their hours and other pages', async () => {
  await openPage('/home', { as: 'doctor' });
  const rooms = page.getByRole('navigation', { name: 'Your tools' });
  for (const [name, path] of [
    ['Clients', '/clients'],
    ['Insights', '/insights'],
    ['Your reviews', '/reviews'],
    ['Public profile', '/practice'],
    ['Prayer requests', '/prayers'],
    ['Write and upload', '/author'],
    ['Today’s devotional', '/devotional'],
  ] as const)
    await expect
      .element(rooms.getByRole('link', { name: new RegExp(`^${name}`) }))
      .toHaveAttribute('href', path);
  const names = actions
    .getByRole('listitem')
    .elements()
    .map((one) => one.textContent);
  expect(names).toEqual([
    expect.stringMatching(/^Availability Settings/),
    expect.stringMatching(/^Download vCard/),
    expect.stringMatching(/^Calendar Sync/),
  ]);
  await expectFair('the home of a specialist');
  await actions.getByRole('link', { name: 'Availability Settings' }).click();
  await expect.poll(address).toBe('/availability');
});

test('shows a specialist their completed and missed sessions', async () => {
  const session = (id: string, startsAt: string, status: string) => ({
    ...past!,
    id,
    startsAt,
    status,
    actions: [],
  });
  await openPage('/home', {
    as: 'doctor',
    answers: {
      'appointments.mine': ({ status }: { status?: string }) =>
        status
          ? []
          : [
              session('01a20ca3-0000-7000-8000-000000000001', '2026-11-23T15:00:00Z', 'completed'),
              session('01a20ca3-0000-7000-8000-000000000002', '2026-11-23T19:00:00Z', 'no_show'),
              session('01a20ca3-0000-7000-8000-000000000003', '2026-11-23T20:00:00Z', 'cancelled'),
            ],
    },
  });
  await page.getByRole('button', { name: 'Previous day' }).click();
  const held = page.getByRole('region', { name: 'Schedule for Monday, November 23' }).getByRole('article');
  await expect.element(held.nth(0)).toMatchTextContent('Completed');
  await expect.element(held.nth(1)).toMatchTextContent('Missed');
  await expect.poll(() => held.elements()).toHaveLength(2);
  await page.getByText('Canceled on this day (1)').click();
  await expect.element(page.getByText('Canceled', { exact: true })).toBeVisible();
});

test('shows an administrator the site’s stats, with links back and out', async () => {
  await openPage('/home', {
    as: 'admin',
    answers: { 'POST /api/auth/sign-out': () => (answer(recordedFor('guest')), { signedIn: false }) },
  });
  await expect
    .poll(() => Object.keys(cards()))
    .toEqual(['Pending Approvals', 'Active Providers', 'Total Users', 'System Health']);
  const { activeProviders, totalUsers } = recordedFor('admin')['analytics.overview'];
  await expect.poll(cards).toMatchObject({
    'Active Providers': String(activeProviders.now),
    'Total Users': totalUsers.now.toLocaleString('en-US'),
    'System Health': expect.stringMatching(/^\d+%/) as string,
  });
  const banner = page.getByRole('banner');
  await expect.element(banner.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
  await banner.getByRole('button', { name: 'Logout' }).click();
  await expect.element(page.getByText('Signed out successfully').first()).toBeVisible();
});

test('downloads a specialist’s own vCard', { tags: ['long'] }, async () => {
  const made: Blob[] = [];
  const real = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob: Blob) => {
    made.push(blob);
    return real(blob);
  };
  try {
    await openPage('/home', { as: 'doctor' });
    await press(page.getByRole('button', { name: 'Download vCard' }));
    await expect.element(page.getByText('Contact card downloaded').first()).toBeVisible();
  } finally {
    URL.createObjectURL = real;
  }
  const card = await made[0]!.text();
  for (const line of [
    'FN:Dr. Sarah Whitfield',
    'TITLE:Clinical Psychologist',
    'doctor@italk.example',
    '/therapists/dr-sarah-whitfield',
  ])
    expect(card).toContain(line);
  expect(askedFor('providers.mine').length).toBeGreaterThan(0);
});
