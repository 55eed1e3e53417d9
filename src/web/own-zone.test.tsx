import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { askedFor } from '../../tests/components/answers.ts';
import { openPage } from '../../tests/components/page.tsx';
import { recordedFor } from '../../tests/components/recorded.ts';
import { timeText } from './times.ts';

/** Has a different offset from the device's zone. */
const zone = 'Asia/Tokyo';

const admin = recordedFor('admin');
const [flag, ...flags] = admin['flags.list'];
const [service, ...services] = admin['catalogue.managed'];
/** Evening on the device, next morning in the account's zone. */
const evening = '2026-11-12T01:30:00Z';

/** Screens that show times, each with expected text. */
const screens: { path: string; says: RegExp | string; answers?: Record<string, unknown> }[] = [
  { path: '/admin/settings', says: '5:20 PM' },
  {
    path: '/admin/settings?tab=services',
    says: 'Nov 12, 2026',
    answers: { 'catalogue.managed': [{ ...service, createdAt: evening }, ...services] },
  },
  {
    path: '/admin/settings?tab=features',
    says: 'Thursday, November 12, 2026, 10:30 AM',
    answers: { 'flags.list': [{ ...flag, modified: { at: evening, byId: null } }, ...flags] },
  },
  { path: '/admin/settings?tab=settings', says: 'Tuesday, November 24, 2026, 5:19 PM' },
  { path: '/admin/settings?tab=settings', says: 'The next one is due Nov 25, 2026, 5:19 PM.' },
  { path: '/admin/settings?tab=audit', says: /Nov 24, 2026.*5:20:14 PM/ },
  { path: '/admin/analytics', says: '5:20 PM' },
  { path: '/admin/analytics', says: /5:20 PM\.$/ },
  { path: '/admin/inbox', says: 'Nov 24, 2026, 2:19 PM' },
  {
    path: '/admin/undelivered',
    says: 'Nov 12, 2026, 10:30 AM',
    answers: {
      'undelivered.list': {
        mails: [
          {
            id: '0190a0a0-0000-7000-8000-000000000000',
            to: 'na•••@people.example',
            kind: 'welcome',
            writtenAt: evening,
            failedAt: evening,
            fault: 'full',
            code: null,
            expired: false,
          },
        ],
        more: false,
        total: 1,
        sendable: 1,
      },
    },
  },
];

test.each(screens)('$path shows $says in the account’s zone, naming it once', async (screen) => {
  const { path, says, answers } = screen;
  const account = { ...admin['accounts.me'], timeZone: zone };
  await openPage(path, { as: 'admin', answers: { 'accounts.me': account, ...answers } });
  await expect.element(page.getByText(says).first()).toBeVisible();
  await expect.element(page.getByText('All times are Tokyo time.')).toBeVisible();
  const told = [...document.querySelectorAll('time')].filter(({ textContent }) => /[AP]M/.test(textContent));
  const times = told.map(({ textContent }) => /\d?\d:\d\d/.exec(textContent)?.[0]);
  expect(times).toEqual(told.map(({ dateTime }) => timeText(dateTime, zone).replace(/ .*/, '')));
});

test('starts audit log days in the account’s zone', async () => {
  const account = { ...admin['accounts.me'], timeZone: zone };
  await openPage('/admin/settings?tab=audit', { as: 'admin', answers: { 'accounts.me': account } });
  await page.getByLabelText('From', { exact: true }).fill('2026-11-20');
  await page.getByLabelText('To', { exact: true }).fill('2026-11-21');
  const span = { from: '2026-11-19T15:00:00.000Z', to: '2026-11-21T15:00:00.000Z' };
  await expect.poll(() => askedFor('audit.list').at(-1)).toMatchObject(span);
});

test('names the zone of messages on the client’s home without upcoming sessions', async () => {
  const account = { ...recordedFor('client')['accounts.me'], timeZone: zone };
  await openPage('/home', { as: 'client', answers: { 'accounts.me': account, 'appointments.mine': [] } });
  await expect.element(page.getByText('2:55 PM')).toBeVisible();
  await expect.element(page.getByText('All times are Tokyo time.')).toBeVisible();
});

test('names no zone if the device shows the same time', async () => {
  const account = { ...admin['accounts.me'], timeZone: 'America/Chicago' };
  await openPage('/admin/settings?tab=audit', { as: 'admin', answers: { 'accounts.me': account } });
  await expect.element(page.getByText('2:20:14 AM').first()).toBeVisible();
  await expect.element(page.getByText(/^All times are/)).not.toBeInTheDocument();
});

const doctor = recordedFor('doctor');
const [held] = doctor['appointments.mine'];
/** This afternoon in Chicago, tomorrow morning in Tokyo. */
const ahead = {
  ...held!,
  status: 'confirmed',
  startsAt: '2026-11-24T23:30:00Z',
  endsAt: '2026-11-25T00:30:00Z',
  provider: { ...held!.provider, timeZone: zone },
};
const agenda = {
  ...doctor['appointments.agenda'],
  timeZone: zone,
  days: doctor['appointments.agenda'].days.map((day) => {
    const startsAt = new Date(Date.parse(`${day.date}T00:00Z`) - 9 * 3_600_000);
    const inTokyo = { ...day, startsAt: startsAt.toISOString(), entries: [] as object[] };
    inTokyo.endsAt = new Date(startsAt.getTime() + 86_400_000).toISOString();
    if (day.date === '2026-11-25')
      inTokyo.entries = [{ ...day.entries[0]!, startsAt: ahead.startsAt, endsAt: ahead.endsAt }];
    return inTokyo;
  }),
};

const [client] = doctor['care.clients.list'].clients;
const { id: clientId } = doctor['care.clients.get'];
const answers = {
  // The account already has a time zone from another browser.
  'accounts.me': { ...doctor['accounts.me'], timeZone: zone },
  'appointments.agenda': agenda,
  'appointments.mine': ({ order, status }: { order?: string; status?: string }) =>
    order || status ? [] : [ahead],
  'appointments.get': ahead,
  'appointments.providerFigures': { ...doctor['appointments.providerFigures'], timeZone: zone },
  'care.clients.list': { clients: [{ ...client!, nextSession: ahead.startsAt }], more: false },
  'care.clients.sessions': ({ part }: { part: string }) => ({
    sessions: part === 'to_come' ? [ahead] : [],
    more: false,
  }),
  'video.page': {
    ...doctor['video.page'],
    startsAt: ahead.startsAt,
    endsAt: ahead.endsAt,
    timeZone: zone,
    refusal: 'early',
  },
};
const main = page.getByRole('main');

test.each([
  '/schedule?view=day&date=2026-11-25',
  '/clients',
  `/clients/${clientId}`,
  `/session/${ahead.id}`,
  '/profile?tab=sessions',
])('%s shows a specialist session times in their practice’s zone', async (path) => {
  await openPage(path, { as: 'doctor', answers });
  await expect.element(page.getByText(/8:30\sAM/).first()).toBeVisible();
  await expect.element(main).toMatchTextContent(/Tokyo/);
  await expect.element(main).not.toMatchTextContent(/5:30\sPM/);
});

test('shows a session’s day and time in the practice’s zone on a specialist’s home', async () => {
  await openPage('/home', { as: 'doctor', answers });
  await page.getByRole('button', { name: 'Next day' }).click();
  const schedule = page.getByRole('region', { name: 'Schedule for Wednesday, November 25' });
  await expect.element(schedule.getByRole('article')).toMatchTextContent(/8:30\sAM/);
  await expect.element(main).toMatchTextContent(/Tokyo/);
  await expect.element(main).not.toMatchTextContent(/5:30\sPM/);
});

test('names sessions in session notes by time in the practice’s zone', async () => {
  await openPage(`/clients/${clientId}?tab=notes`, { as: 'doctor', answers });
  await expect
    .element(page.getByRole('tabpanel').getByRole('combobox'))
    .toMatchTextContent(/Nov 25, 2026.*8:30\sAM/);
  await expect.element(main).not.toMatchTextContent(/5:30\sPM/);
});
