import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { askedFor, pressWith } from '../../../../tests/components/answers.ts';
import { desktop, expectFair, phone } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedAt, recordedFor } from '../../../../tests/components/recorded.ts';

const [session] = recordedFor('client')['appointments.mine'];
const { name } = session!.provider;
const now = recordedAt('client').getTime();
const hour = 3_600_000;
const day = 24 * hour;
const upcoming = page.getByRole('region', { name: 'Upcoming Appointments' });
const later = page.getByRole('region', { name: 'Later sessions' });

let made = 0;

/** A confirmed video session that starts so many hours from now. */
function ahead(hours: number, changes: object = {}) {
  made += 1;
  const id = `01a20c00-0000-7000-8000-${String(made).padStart(12, '0')}`;
  return {
    ...session!,
    id,
    bookingId: id,
    status: 'confirmed',
    sessionType: 'online',
    startsAt: new Date(now + hours * hour).toISOString(),
    endsAt: new Date(now + (hours + 1) * hour).toISOString(),
    actions: ['reschedule', 'cancel', 'set_reminder'],
    ...changes,
  };
}

function weekly(from: number, count: number, changes: object = {}) {
  const bookingId = '01a20c00-0000-7000-8000-aaaaaaaaaaaa';
  return Array.from({ length: count }, (_, index) =>
    ahead(from + (index * 7 * day) / hour, {
      bookingId,
      seriesIndex: index + 1,
      seriesCount: count,
      ...changes,
    }),
  );
}

const open = (path: string, appointments: readonly object[]) =>
  openPage(path, { as: 'client', answers: { 'appointments.mine': appointments } });

test('shows the next session first and in words, and the rest below messages', async () => {
  await open('/home', [ahead(24), ahead(48, { status: 'pending' })]);
  const next = upcoming.getByRole('article', { name });
  await expect.element(next).toMatchTextContent(/Tomorrow, \d?\d:\d\d [AP]M/);
  await expect.element(next).toMatchTextContent('Upcoming');
  await expect.element(next.getByRole('link', { name: `Join the session with ${name}` })).toBeVisible();
  await expect.element(next.getByRole('link', { name: `Message to ${name}` })).toBeVisible();
  await expect.element(later.getByRole('article', { name })).toMatchTextContent('Waiting for confirmation');
  const titles = page.getByRole('heading', { level: 2 }).elements();
  const places = ['Upcoming Appointments', 'Recent Messages', 'Later sessions', 'Quick Actions'].map(
    (title) => titles.findIndex(({ textContent }) => textContent === title),
  );
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places[0]).toBeGreaterThanOrEqual(0);
});

test('says below the buttons when the session opens', async () => {
  await page.viewport(desktop.width, desktop.height);
  await open('/home', [ahead(24)]);
  const opens = upcoming.getByText(/^Opens at /);
  await expect.element(opens).toBeVisible();
  const { bottom } = upcoming
    .getByRole('link', { name: `Message to ${name}` })
    .element()
    .getBoundingClientRect();
  expect(opens.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(bottom);
});

test('says that a session that started is now, and keeps Join', async () => {
  await open('/home', [ahead(-0.5, { actions: [] })]);
  await expect.element(upcoming.getByText('Now', { exact: true })).toBeVisible();
  await expect.element(upcoming.getByRole('link', { name: /^Join/ })).toBeVisible();
  await expect.element(later).not.toBeInTheDocument();
});

for (const [path, list] of [
  ['/home', later],
  ['/profile?tab=sessions', page.getByRole('region', { name: 'Upcoming sessions' })],
] as const)
  test(`folds a series into one entry on ${path}`, async () => {
    await page.viewport(phone.width, phone.height);
    await open(path, weekly(24, 4));
    const title = list.getByText(`Weekly with ${name} · 3 sessions`);
    await expect.element(title).toBeVisible();
    const rows = page.getByRole('article', { name });
    await expect.poll(() => rows.elements().length).toBe(1);
    await title.click();
    await expect.poll(() => rows.elements().length).toBe(4);
    await rows
      .nth(3)
      .getByRole('button', { name: `Actions for the appointment with ${name}` })
      .click();
    await expect.element(page.getByRole('menuitem', { name: 'Cancel appointment' })).toBeVisible();
  });

test('cancels a whole series from its folded entry', { tags: ['long'] }, async () => {
  const [next, ...series] = [ahead(24), ...weekly(48, 3)];
  await openPage('/home', {
    as: 'client',
    answers: { 'appointments.mine': [next, ...series], 'appointments.series.ahead': series },
  });
  await later.getByRole('button', { name: `Actions for the series with ${name}` }).click();
  await expect
    .poll(() =>
      page
        .getByRole('menuitem')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(['Reschedule', 'Cancel appointment']);
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
  const question = page.getByRole('alertdialog');
  await expect.element(question.getByRole('radio', { name: /^All upcoming sessions/ })).toBeChecked();
  await pressWith(question.getByRole('button', { name: 'Cancel 3 sessions' }), {
    'appointments.series.cancel': series,
    'appointments.mine': [next],
  });
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(later).not.toBeInTheDocument();
  expect(askedFor('appointments.series.cancel')).toMatchObject([{ scope: 'all' }]);
});

test('keeps rows compact on phones, whatever they contain', async () => {
  const provider = { ...session!.provider, name: 'Dr. Wilhelmina Featherstonehaugh-Cholmondeley' };
  await open('/profile?tab=sessions', [
    ahead(24),
    ahead(48, { status: 'pending', provider }),
    ahead(72, { sessionType: 'in-person' }),
    ahead(96, { sessionType: 'phone', calledAt: '+1 555 010 0101' }),
    ...weekly(120, 3, { status: 'pending' }),
  ]);
  await page.getByText(`Weekly with ${name} · 3 sessions`).click();
  await expectFair('compact rows');
  await page.viewport(phone.width, phone.height);
  const heights = page
    .getByRole('region', { name: 'Upcoming sessions' })
    .getByRole('article')
    .elements()
    .map((row) => row.getBoundingClientRect().height);
  expect(heights).toHaveLength(7);
  expect(heights[0]).toBeLessThan(140);
  expect(Math.max(...heights)).toBeLessThan(200);
});

test('shows more of many sessions on request', async () => {
  await open(
    '/profile?tab=sessions',
    Array.from({ length: 8 }, (_, index) => ahead(24 * (index + 1))),
  );
  const rows = page.getByRole('region', { name: 'Upcoming sessions' }).getByRole('article');
  await expect.poll(() => rows.elements().length).toBe(5);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.elements().length).toBe(8);
});
