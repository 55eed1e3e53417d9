import { describe, expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import type { AvailabilityView } from '#/features/availability/contract.ts';
import type { AvailabilityPreview } from '#/features/appointments/preview/contract.ts';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, phone } from '../../../../tests/components/fair.ts';
import { expectFocusSeen, press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { pressMouse, touch } from '../../../../tests/components/pointer.ts';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const stored = recordedFor('doctor')['availability.mine'] as AvailabilityView;
const saveButton = page.getByRole('button', { name: 'Save changes' });
const saved = page.getByRole('listitem').filter({ hasText: 'Availability saved' });
const preview = page.getByRole('region', { name: 'Client preview' });
const dates = page.getByRole('region', { name: 'Days off and extra hours' });
const told = page.getByRole('alert').filter({ hasText: 'Your hours were changed in another window.' });
const noTime: AvailabilityPreview = {
  timeZone: stored.timeZone,
  starts: [],
  clashes: { sessions: [], count: 0 },
};

const field = (name: string, within: Pick<Locator, 'getByLabelText'> = page) =>
  within.getByLabelText(name, { exact: true });
const row = (name: string) => page.getByRole('button', { name: new RegExp(`^${name} \\d`) });
const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });
const day = (name: string) => page.getByRole('switch', { name: `${name}, open for sessions` });

function hours(change: Partial<AvailabilityView>): AvailabilityView {
  return { ...stored, ...change };
}

function save({ version, ...week }: AvailabilityView): AvailabilityView {
  return hours({ ...week, version: version + 1 });
}

async function openEditor(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await openPage('/availability', {
    as: 'doctor',
    answers: { 'appointments.previewAvailability': noTime, 'availability.save': save, ...answers },
  });
  await expect.element(cell('Monday, 9:00 AM – 1:00 PM')).toBeVisible();
}

/** Opens it on a phone, with Monday's times. */
async function openRows(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await page.viewport(phone.width, phone.height);
  await openPage('/availability', {
    as: 'doctor',
    answers: { 'appointments.previewAvailability': noTime, 'availability.save': save, ...answers },
  });
  await row('Monday').click();
  await expect.element(field('Monday, first window, from')).toBeEnabled();
}

const unfoldPreview = () => preview.getByText('Client preview').last().click();

async function saveAll(): Promise<AvailabilityView> {
  await saveButton.click();
  await expect.element(saved).toBeVisible();
  await expect.element(saveButton).not.toBeInTheDocument();
  return askedFor('availability.save').at(-1) as AvailabilityView;
}

test('asks a guest to sign in', { tags: ['long'] }, async () => {
  await openPage('/availability');
  await expect.element(page.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
  await expect.element(page.getByText('Sign in with your provider account.')).toBeInTheDocument();
});

test('denies access to a client', async () => {
  const denied = refusal(403, 'forbidden');
  await openPage('/availability', {
    as: 'client',
    answers: { 'availability.mine': denied, 'availability.holidays': denied },
  });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Availability Settings');
  await expect
    .element(page.getByRole('main'))
    .toMatchTextContent(/Access denied\. Required permission: manage_own_availability/);
  await expect.poll(() => page.getByRole('switch').elements()).toEqual([]);
});

test('shows a retry when the hours can’t be loaded', { tags: ['long'] }, async () => {
  await openPage('/availability', { as: 'doctor', answers: { 'availability.mine': unreachable } });
  const failed = page.getByText('We couldn’t load your hours');
  await expect.element(failed).toBeVisible();
  await pressWith(page.getByRole('button', { name: 'Try again' }), {
    'availability.mine': stored,
    'appointments.previewAvailability': noTime,
  });
  await expect.element(day('Monday')).toBeEnabled();
  expect(failed.query()).toBe(null);
});

test('previews unsaved hours for clients in the chosen time zone', { tags: ['long'] }, async () => {
  const starts = ['2026-12-07T14:00:00Z', '2026-12-07T14:30:00Z', '2026-12-07T17:00:00Z'];
  await openRows();
  await unfoldPreview();
  await expect.element(preview.getByText('No open times', { exact: true })).toBeVisible();
  answer({ 'appointments.previewAvailability': { ...noTime, starts } });
  await field('Monday, first window, to').fill('11:00');
  const zone = preview.getByRole('combobox', { name: 'Show times in' });
  await zone.fill('New York');
  await userEvent.keyboard('{Enter}');
  await preview.getByRole('button', { name: 'Next week' }).click();
  await preview.getByRole('button', { name: /^Monday, .*, 3 open times$/ }).click();
  await expect.element(preview.getByRole('button', { name: /^Tuesday, .*, no open times$/ })).toBeVisible();
  const times = () =>
    preview
      .getByRole('listitem')
      .elements()
      .map((one) => one.textContent);
  await expect.poll(times).toEqual(['09:00 AM', '09:30 AM', '12:00 PM']);
  await zone.fill('London (Europe)');
  await userEvent.keyboard('{Enter}');
  await expect.poll(times).toEqual(['02:00 PM', '02:30 PM', '05:00 PM']);
  await expect
    .poll(() => askedFor('appointments.previewAvailability').at(-1))
    .toMatchObject({ weekly: [{ weekday: 1, from: '09:00', to: '11:00' }, ...stored.weekly.slice(1)] });
  expect(askedFor('availability.save')).toEqual([]);
});

test(
  'copies one day’s hours to others, and allows a day to end at midnight',
  { tags: ['long'] },
  async () => {
    await openRows();
    await page.getByRole('button', { name: 'Remove Monday, second window' }).click();
    await expect.element(field('Monday, first window, from')).toHaveFocus();
    await field('Monday, first window, from').fill('20:00');
    await field('Monday, first window, to').fill('00:00');
    await expect.element(page.getByText('Until midnight')).toBeVisible();
    await page.getByRole('button', { name: 'Copy hours from Monday to other days' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy Monday hours' });
    await dialog.getByRole('button', { name: 'Copy hours' }).click();
    await expect.element(dialog.getByText('Choose at least one day.')).toBeVisible();
    await expectFair('the days to copy to');
    await dialog.getByRole('button', { name: 'Every day' }).click();
    await dialog.getByRole('button', { name: 'Copy hours' }).click();
    const { weekly } = await saveAll();
    expect(weekly.map(({ weekday, from, to }) => `${weekday} ${from}-${to}`)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((one) => `${one} 20:00-24:00`),
    );
  },
);

test('asks for a valid date, and keeps the note', { tags: ['long'] }, async () => {
  const past = refusal(400, 'invalid', 'invalid', { fields: [{ field: 'from', reason: 'in_past' }] });
  await openEditor({ 'availability.setDates': past });
  await page.getByRole('button', { name: 'Add days off' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add date' });
  await dialog.getByRole('button', { name: 'Save date' }).click();
  await expect.element(dialog.getByText('Choose a date.')).toBeVisible();
  await expectFair('the dialog of a date');
  await field('Date', dialog).fill('2020-01-06');
  await dialog.getByLabelText('Note').fill('With my mother');
  await dialog.getByRole('button', { name: 'Save date' }).click();
  await expect.element(dialog.getByText('This date has passed. Choose today or later.')).toBeVisible();
  await expect.element(field('Date', dialog)).toHaveFocus();
  await expect.element(dialog.getByLabelText('Note')).toHaveValue('With my mother');
});

test('sets different hours for a date, and restores a removed one', { tags: ['long'] }, async () => {
  const off = stored.dates[0]!;
  const windows = [{ from: '20:00', to: '21:00', placeId: null }];
  await openEditor({
    'availability.removeDate': hours({ dates: [] }),
    'availability.setDates': stored,
  });
  const entry = dates.getByRole('listitem');
  await expect.element(entry).toHaveTextContent('Wed, Jan 6, 2027OffFamily visit');
  await dates.getByRole('button', { name: 'Remove Wed, Jan 6, 2027' }).click();
  await expect.element(entry).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(entry).toBeVisible();
  await expect
    .poll(() => askedFor('availability.setDates'))
    .toEqual([{ from: '2027-01-06', to: '2027-01-06', windows: [], note: 'Family visit' }]);
  await pressWith(dates.getByRole('button', { name: 'Change Wed, Jan 6, 2027' }), {
    'availability.setDates': hours({ dates: [{ ...off, windows }] }),
  });
  const dialog = page.getByRole('dialog', { name: 'Edit date' });
  await dialog.getByRole('radio', { name: /^Different hours/ }).click();
  await field('Wed, Jan 6, 2027, first window, from', dialog).fill('20:00');
  await field('Wed, Jan 6, 2027, first window, to', dialog).fill('21:00');
  await dialog.getByRole('button', { name: 'Save date' }).click();
  await expect.element(entry).toMatchTextContent(/8:00 PM to 9:00 PM/);
  await expect
    .poll(() => askedFor('availability.setDates').at(-1))
    .toMatchObject({
      windows,
      note: 'Family visit',
      replaces: { from: '2027-01-06', to: '2027-01-06' },
    });
});

test('toggles a region’s holidays', async () => {
  const { regions } = recordedFor('doctor')['availability.holidays'];
  const christmas = { name: 'Christmas Day', isPublic: true, isKept: false, dates: ['2026-12-25'] };
  let names: string[] = [];
  await openEditor({
    'availability.holidays': ({ region }: { region?: string }) => ({
      regions,
      kept: names.length > 0 ? { region: 'US-NY', names } : null,
      holidays: region ? [{ ...christmas, isKept: names.includes(christmas.name) }] : [],
    }),
    'availability.saveHolidays': (input: { region: string; names: string[] }) => {
      ({ names } = input);
      const date = { date: '2026-12-25', windows: [], note: '', holiday: christmas.name };
      answer({ 'availability.mine': hours({ dates: names.length > 0 ? [date] : [] }) });
      return { regions, kept: null, holidays: [] };
    },
  });
  const holidays = page.getByRole('region', { name: 'Holidays' });
  await holidays.getByLabelText('Country or state').fill('United States of America: New York');
  await userEvent.keyboard('{Enter}');
  const one = holidays.getByRole('switch', { name: 'Christmas Day' });
  await one.click();
  await expect.element(dates.getByRole('listitem')).toHaveTextContent('Fri, Dec 25, 2026Christmas Day');
  await expect.element(one).toBeChecked();
  await one.click();
  await expect.element(dates.getByRole('listitem')).not.toBeInTheDocument();
  await expect.element(one).not.toBeChecked();
  await expect
    .poll(() => askedFor('availability.saveHolidays'))
    .toEqual([
      { region: 'US-NY', names: ['Christmas Day'] },
      { region: 'US-NY', names: [] },
    ]);
});

test('requires a city for Sabbath rest, and lists the next rest times', { tags: ['long'] }, async () => {
  const boston = {
    name: 'Boston',
    region: 'Massachusetts',
    country: 'United States',
    latitude: 42.35843,
    longitude: -71.05977,
    timeZone: 'America/New_York',
  };
  await openEditor({ 'availability.cities': [boston] });
  await page.getByRole('radio', { name: /^Sabbath/ }).click();
  await saveButton.click();
  await expect.element(page.getByText('Choose a city from the list, or enter coordinates.')).toBeVisible();
  const city = page.getByRole('combobox', { name: 'Your city' });
  await expect.element(city).toHaveFocus();
  await city.fill('Bosto');
  await page.getByRole('option', { name: /^Boston, Massachusetts/ }).click();
  const rests = page.getByRole('region', { name: 'Weekly rest' }).getByRole('listitem');
  await expect.element(rests.first()).toHaveTextContent('Fri, Nov 27, 4:14 PM to Sat, Nov 28, 4:13 PM');
  await expect.poll(() => rests.elements()).toHaveLength(3);
  expect((await saveAll()).rest).toEqual({
    kind: 'sabbath',
    place: {
      name: 'Boston, Massachusetts, United States',
      latitude: 42.35843,
      longitude: -71.05977,
      timeZone: 'America/New_York',
    },
  });
  await expect.element(city).toHaveValue('Boston, Massachusetts, United States');
});

test('accepts valid coordinates in place of a city', async () => {
  const place = { name: 'Boston', latitude: 42.35, longitude: -71.05, timeZone: null };
  await openEditor({ 'availability.mine': hours({ rest: { kind: 'sabbath', place } }) });
  await page.getByRole('button', { name: 'Enter coordinates' }).click();
  await field('Latitude').fill('99');
  await saveButton.click();
  await expect.element(page.getByText('Enter degrees from −90 to 90, such as 42.36.')).toBeVisible();
  await expect.element(field('Latitude')).toHaveFocus();
  await field('Latitude').fill('42.36');
  expect((await saveAll()).rest.place).toMatchObject({ latitude: 42.36, longitude: -71.05 });
});

test.each([
  ['overlap', ['second', '12:00', '19:00'], 'These hours overlap others that day.'],
  ['end before they begin', ['first', '13:00', '09:00'], 'These hours end before they begin.'],
  [
    'go past midnight',
    ['second', '22:00', '02:00'],
    'Hours can’t go past midnight. Add the rest on the next day.',
  ],
  ['are too short', ['first', '09:00', '09:15'], 'These hours are too short for your shortest session.'],
  ['are not filled in', ['first', '', '13:00'], 'Enter both times in full, such as 9:00 AM.'],
] as const)(
  'rejects windows that %s, with a message at the window',
  async (_, [which, from, to], sentence) => {
    await openRows();
    const begin = field(`Monday, ${which} window, from`);
    const end = field(`Monday, ${which} window, to`);
    const was = (begin.element() as HTMLInputElement).value;
    await begin.fill(from);
    await end.fill(to);
    await saveButton.click();
    await expect.element(begin).toHaveFocus();
    await expect.element(begin).toHaveAccessibleDescription(sentence);
    await expect.element(begin).toHaveValue(from);
    await expect.element(end).toHaveValue(to);
    await expect.element(page.getByText('Not saved: 1 problem to fix.')).toBeInTheDocument();
    expect(askedFor('availability.save')).toEqual([]);
    await begin.fill(was);
    await end.fill(which === 'first' ? '13:00' : '19:00');
    await expect.element(begin).not.toHaveAccessibleDescription(sentence);
    await begin.fill(which === 'first' ? '09:30' : '14:30');
    await saveAll();
  },
);

test('shows server errors at their window', async () => {
  const fields = [{ field: 'weekly.1.from', reason: 'skipped_time' }];
  await openRows({ 'availability.save': refusal(400, 'invalid', 'invalid', { fields }) });
  await field('Monday, second window, from').fill('14:30');
  await saveButton.click();
  await expect.element(field('Monday, second window, from')).toHaveFocus();
  await expect.element(field('Monday, second window, from')).toHaveAccessibleDescription(/Clocks change/);
});

test('keeps unsaved hours after a failed save, and saves them on retry', async () => {
  await openRows({ 'availability.save': unreachable });
  await field('Monday, first window, to').fill('12:00');
  await saveButton.click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expect.element(field('Monday, first window, to')).toHaveValue('12:00');
  answer({ 'availability.save': save });
  expect((await saveAll()).weekly[0]).toMatchObject({ weekday: 1, to: '12:00' });
});

test('keeps hours typed while earlier ones are being saved', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await openRows({
    'availability.save': async (week: AvailabilityView) => {
      await promise;
      return save(week);
    },
  });
  await field('Monday, first window, to').fill('12:00');
  await saveButton.click();
  await field('Monday, second window, from').fill('15:00');
  resolve();
  await expect.element(saved).toBeVisible();
  await expect.element(field('Monday, second window, from')).toHaveValue('15:00');
  await pressWith(saveButton, { 'availability.save': save });
  await expect.poll(() => askedFor('availability.save')).toHaveLength(2);
  const last = askedFor('availability.save').at(-1) as AvailabilityView;
  expect(last).toMatchObject({ version: stored.version + 1 });
  expect(last.weekly.slice(0, 2)).toMatchObject([{ to: '12:00' }, { from: '15:00' }]);
});

test('shows holidays chosen in another window', async () => {
  const { regions } = recordedFor('doctor')['availability.holidays'];
  const christmas = { name: 'Christmas Day', isPublic: true, isKept: false, dates: ['2026-12-25'] };
  const chosen = (names: string[]) => ({
    regions,
    kept: { region: 'US-NY', names },
    holidays: [{ ...christmas, isKept: names.includes(christmas.name) }],
  });
  await openEditor({ 'availability.holidays': chosen(['New Year’s Day']) });
  const one = page.getByRole('region', { name: 'Holidays' }).getByRole('switch', { name: 'Christmas Day' });
  await expect.element(one).not.toBeChecked();
  answer({ 'availability.holidays': chosen([christmas.name]) });
  tellPage({ type: 'availability.changed' });
  await expect.element(one).toBeChecked();
});

test('limits own terms to the site’s, which apply by default', { tags: ['long'] }, async () => {
  await openEditor({ 'availability.setApproval': (input: object) => input });
  await field('Buffer (min)').fill('5');
  await field('Notice (h)').fill('soon');
  await field('Daily limit').fill('99');
  await saveButton.click();
  const terms = page.getByRole('region', { name: 'Booking rules' });
  await expect.element(terms.getByText('Enter 15 or more.')).toBeVisible();
  await expect.element(terms.getByText('Enter a whole number, or leave it empty.')).toBeVisible();
  await expect.element(terms.getByText('Enter 8 or less.')).toBeVisible();
  await expect.element(field('Buffer (min)')).toHaveFocus();
  await field('Buffer (min)').fill('30');
  await field('Notice (h)').fill('');
  await field('Daily limit').fill('4');
  await terms.getByRole('checkbox', { name: '90 min' }).click();
  expect((await saveAll()).terms).toEqual({
    sessionLengths: [30, 60],
    bufferMinutes: 30,
    noticeHours: null,
    dailyMaximum: 4,
  });
  await terms.getByRole('switch', { name: 'Confirm bookings manually' }).click();
  await expect.element(page.getByText('New bookings need your confirmation')).toBeInTheDocument();
  await expect.poll(() => askedFor('availability.setApproval')).toEqual([{ approvesFirst: true }]);
});

const clashing: AvailabilityPreview = {
  ...noTime,
  clashes: {
    sessions: [
      {
        appointmentId: '01a20ca3-b402-7e74-bcca-6fd657bb8c86',
        startsAt: '2026-12-01T15:00:00Z',
        endsAt: '2026-12-01T16:00:00Z',
        status: 'confirmed',
        sessionType: 'online',
        clientName: 'Ruth Amsel',
        reason: 'outside_hours',
      },
    ],
    count: 1,
  },
};

test('lists booked sessions outside the hours, before and after saving', { tags: ['long'] }, async () => {
  await openEditor();
  const clashes = preview.getByRole('region', { name: '1 booked session is outside these hours' });
  await expect.element(preview.getByText('No open times', { exact: true })).toBeVisible();
  expect(clashes.query()).toBe(null);
  await pressWith(day('Tuesday'), { 'appointments.previewAvailability': clashing });
  await expect.element(clashes).toMatchTextContent(/Tue, Dec 1, 10:00 AM/);
  await expect.element(clashes).toMatchTextContent(/with Ruth Amsel, outside your hours/);
  await expect.element(clashes).toMatchTextContent(/Saving won’t change them\./);
  await expect
    .element(clashes.getByRole('link', { name: /^Open in schedule/ }))
    .toHaveAttribute('href', '/schedule?view=day&date=2026-12-01');
  await saveAll();
  await expect.element(clashes).toBeVisible();
});

test('folds the preview on phones until it lists booked sessions', { tags: ['long'] }, async () => {
  await openRows();
  const times = preview.getByText('No open times', { exact: true });
  await expect.element(times).not.toBeVisible();
  await pressWith(day('Tuesday'), { 'appointments.previewAvailability': clashing });
  await expect.element(times).toBeVisible();
  await unfoldPreview();
  await expect.element(times).not.toBeVisible();
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect.element(times).toBeVisible();
});

test('warns about hours saved in another window, and can overwrite them', { tags: ['long'] }, async () => {
  const theirs = hours({ weekly: stored.weekly.filter(({ weekday }) => weekday !== 6), version: 2 });
  await openRows({
    'availability.save': (input: AvailabilityView) =>
      input.version < theirs.version ? refusal(409, 'conflict', 'changed_meanwhile') : save(input),
  });
  await field('Monday, first window, to').fill('12:00');
  await pressWith(saveButton, { 'availability.mine': theirs });
  await expect.element(told).toBeVisible();
  await expect.element(field('Monday, first window, to')).toHaveValue('12:00');
  await expectFair('another window was first');
  await told.getByRole('button', { name: 'Save mine' }).click();
  await expect.element(saved).toBeVisible();
  const last = askedFor('availability.save').at(-1) as AvailabilityView;
  expect(last).toMatchObject({ version: 2 });
  expect(last.weekly).toContainEqual({ weekday: 1, from: '09:00', to: '12:00', placeId: null });
  expect(last.weekly).toContainEqual({ weekday: 6, from: '09:00', to: '13:00', placeId: null });
});

test('replaces unsaved input with hours saved in another window', async () => {
  await openRows();
  await field('Monday, first window, to').fill('11:00');
  answer({
    'availability.mine': hours({ weekly: stored.weekly.filter(({ weekday }) => weekday !== 5), version: 2 }),
  });
  tellPage({ type: 'availability.changed' });
  await told.getByRole('button', { name: 'Load saved hours' }).click();
  await expect.element(field('Monday, first window, to')).toHaveValue('13:00');
  await expect.element(day('Friday')).not.toBeChecked();
  await expect.element(saveButton).not.toBeInTheDocument();
  answer({ 'availability.mine': hours({ version: 3 }) });
  tellPage({ type: 'availability.changed' });
  await expect.element(day('Friday')).toBeChecked();
});

test('asks before leaving or discarding unsaved hours', { tags: ['long'] }, async () => {
  await openEditor();
  const home = page.getByRole('banner').getByRole('link', { name: 'Home', exact: true });
  await press(cell('Monday, 9:00 AM – 1:00 PM'), '{Delete}');
  await home.click();
  await page
    .getByRole('alertdialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Stay' })
    .click();
  await expect.element(cell('Monday, 9:00 AM – 1:00 PM')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expectFair('discarding');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect.element(cell('Monday, 9:00 AM – 1:00 PM')).toBeVisible();
  await home.click();
  await expect.poll(address).toBe('/home');
});

test('sets a provider’s own location for a window', { tags: ['long'] }, async () => {
  const house = {
    id: '01a20ca3-b402-7e74-bcca-6fd657bb8c01',
    name: 'The House by the River',
    town: 'Boston, MA',
  };
  await openRows({ 'availability.mine': hours({ places: [house] }) });
  await unfoldPreview();
  await preview.getByLabelText('Session type').selectOptions('in-person');
  await field('Monday, first window, place').selectOptions('The House by the River');
  await expect
    .poll(() => askedFor('appointments.previewAvailability').at(-1))
    .toMatchObject({ sessionType: 'in-person', weekly: [{ placeId: house.id }, ...stored.weekly.slice(1)] });
  expect((await saveAll()).weekly[0]).toMatchObject({ weekday: 1, placeId: house.id });
});

test('works by keyboard alone on phones', { tags: ['long'] }, async () => {
  await openRows();
  await press(day('Monday'), ' ');
  await expect.element(page.getByText('Monday is now a day off.')).toBeInTheDocument();
  await userEvent.keyboard(' ');
  await expect.element(day('Monday')).toBeChecked();
  const end = field('Monday, first window, to');
  await tabTo(end);
  await userEvent.keyboard('1200PM');
  await expect.element(end).toHaveValue('12:00');
  await press(page.getByRole('button', { name: 'Add hours on Monday' }));
  await expect.element(field('Monday, third window, from')).toHaveFocus();
  await expect.element(field('Monday, third window, from')).toHaveValue('20:00');
  await expectFocusSeen();
  await press(page.getByRole('button', { name: 'Remove Monday, third window' }));
  await expect.element(field('Monday, second window, from')).toHaveFocus();
  await press(page.getByRole('button', { name: 'Copy hours from Monday to other days' }));
  await press(page.getByRole('button', { name: 'Monday to Friday' }));
  await press(page.getByRole('button', { name: 'Copy hours', exact: true }));
  await expect
    .element(page.getByText('Copied Monday hours to: Tuesday, Wednesday, Thursday, Friday.'))
    .toBeInTheDocument();
  await tabTo(saveButton, 160);
  await userEvent.keyboard('{Enter}');
  await expect.element(saved).toBeVisible();
  const [{ weekly }] = askedFor('availability.save') as [AvailabilityView];
  expect(weekly.filter(({ from, to }) => `${from}-${to}` === '09:00-12:00')).toHaveLength(5);
});

describe('the week’s grid', () => {
  const free = (name: string) => cell(`${name}, closed`);
  const morning = cell('Monday, 9:00 AM – 1:00 PM');
  const edge = (of: Locator, which: 'from' | 'to') =>
    page.elementLocator(of.element().querySelector(`[data-edge="${which}"]`)!);
  /** An hour is 40 pixels high. */
  const high = (y: number) => ({ x: 20, y });
  const hoursOn = ({ weekly }: AvailabilityView, weekday: number) =>
    weekly.filter((one) => one.weekday === weekday).map(({ from, to }) => `${from}-${to}`);

  test('draws hours by dragging, and joins them with those they touch', { tags: ['long'] }, async () => {
    await openEditor();
    const first = free('Sunday, 9:00 AM – 10:00 AM');
    await userEvent.dragAndDrop(first, free('Sunday, 11:00 AM – 12:00 PM'), {
      sourcePosition: high(4),
      targetPosition: high(16),
    });
    await expect.element(cell('Sunday, 9:00 AM – 11:30 AM')).toHaveFocus();
    await expect.element(day('Sunday')).toBeChecked();
    const gap = free('Monday, 1:00 PM – 2:00 PM');
    await userEvent.dragAndDrop(gap, gap, { sourcePosition: high(4), targetPosition: high(36) });
    await expect.element(cell('Monday, 9:00 AM – 7:00 PM')).toHaveFocus();
    const week = await saveAll();
    expect(hoursOn(week, 7)).toEqual(['09:00-11:30']);
    expect(hoursOn(week, 1)).toEqual(['09:00-19:00']);
  });

  test('changes hours by their edges, and moves them to another day', { tags: ['long'] }, async () => {
    await openEditor();
    await userEvent.dragAndDrop(edge(morning, 'to'), free('Monday, 1:00 PM – 2:00 PM'), {
      targetPosition: high(20),
    });
    const longer = cell('Monday, 9:00 AM – 1:30 PM');
    await expect.element(longer).toBeVisible();
    await userEvent.dragAndDrop(edge(longer, 'from'), free('Monday, 8:00 AM – 9:00 AM'), {
      targetPosition: high(30),
    });
    const moved = cell('Monday, 8:45 AM – 1:30 PM');
    await userEvent.dragAndDrop(moved, free('Sunday, 11:00 AM – 12:00 PM'), {
      sourcePosition: high(20),
      targetPosition: high(10),
    });
    await expect.element(cell('Sunday, 10:45 AM – 3:30 PM')).toHaveFocus();
    const week = await saveAll();
    expect(hoursOn(week, 7)).toEqual(['10:45-15:30']);
    expect(hoursOn(week, 1)).toEqual(['14:00-19:00']);
  });

  const cursor = () => getComputedStyle(page.getByRole('grid').element()).cursor;

  test(
    'moves hours with a finger that rests first; one that doesn’t scrolls the page',
    { tags: ['long'] },
    async () => {
      await openEditor();
      const target = free('Sunday, 11:00 AM – 12:00 PM');
      const swipe = await touch(morning);
      await swipe.moveTo(target);
      await swipe.lift();
      const finger = await touch(morning);
      await expect.poll(cursor).toBe('grabbing');
      await finger.moveTo(target);
      await finger.lift();
      // From the middle of four hours to the middle of one.
      await expect.element(cell('Sunday, 9:30 AM – 1:30 PM')).toHaveFocus();
      await expect.element(saveButton).toBeVisible();
    },
  );

  test('moves nothing once a second finger is down', async () => {
    await openEditor();
    const finger = await touch(morning);
    await expect.poll(cursor).toBe('grabbing');
    await finger.join(free('Sunday, 11:00 AM – 12:00 PM'));
    await expect.poll(cursor).not.toBe('grabbing');
    await finger.lift();
    await expect.element(morning).toBeInTheDocument();
  });

  test('scrolls the page while hours are held at its edge', async () => {
    await page.viewport(1280, 480);
    await openEditor();
    morning.element().scrollIntoView({ block: 'center' });
    const began = scrollY;
    const mouse = await pressMouse(morning);
    await mouse.moveTo(morning, 200);
    await expect.poll(() => scrollY).toBeGreaterThan(began + 100);
    await userEvent.keyboard('{Escape}');
    await mouse.release();
    await expect.element(morning).toBeInTheDocument();
  });

  test('removes hours by their button, and brings them back', { tags: ['long'] }, async () => {
    await openEditor();
    await morning.hover();
    await page.getByRole('button', { name: 'Remove Monday, 9:00 AM – 1:00 PM' }).click();
    await expect.element(free('Monday, 9:00 AM – 10:00 AM')).toHaveFocus();
    await expect.element(page.getByText('Removed Monday, 9:00 AM – 1:00 PM.')).toBeInTheDocument();
    await day('Tuesday').click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.click();
    await expect.element(day('Tuesday')).toBeChecked();
    await undo.click();
    await expect.element(morning).toBeVisible();
    await expect.element(undo).not.toBeInTheDocument();
    await expect.element(page.getByRole('heading', { name: 'Weekly hours' })).toHaveFocus();
    await expect.element(saveButton).not.toBeInTheDocument();
  });

  test('copies a day to the chosen days, and can undo it', { tags: ['long'] }, async () => {
    await openEditor();
    await page.getByRole('button', { name: 'Copy hours from Sunday to other days' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy Sunday hours' });
    await dialog.getByRole('checkbox', { name: 'Friday' }).click();
    await dialog.getByRole('checkbox', { name: 'Saturday' }).click();
    await dialog.getByRole('button', { name: 'Copy hours' }).click();
    await expect.element(day('Saturday')).not.toBeChecked();
    await expect.element(cell('Friday, 9:00 AM – 1:00 PM')).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.element(cell('Friday, 9:00 AM – 1:00 PM')).toBeVisible();
  });

  test('takes exact times, past midnight and at a place', { tags: ['long'] }, async () => {
    const church = { id: '01a20ca3-b402-7e74-bcca-6fd657bb8c01', name: 'St. Mark’s', town: 'Boston, MA' };
    await openEditor({ 'availability.mine': hours({ places: [church] }) });
    await free('Sunday, 9:00 AM – 10:00 AM').click();
    const dialog = page.getByRole('dialog', { name: 'Add hours' });
    await expect.element(field('From', dialog)).toHaveValue('09:00');
    await expect.element(field('To', dialog)).toHaveValue('10:00');
    await field('To', dialog).fill('09:10');
    const add = dialog.getByRole('button', { name: 'Add hours' });
    await add.click();
    await expect.element(field('To', dialog)).toHaveAccessibleDescription(/too short for your shortest/);
    await expect.element(field('To', dialog)).toHaveFocus();
    await expectFair('hours that are too short');
    await field('To', dialog).fill('08:30');
    await expect.element(field('To', dialog)).toHaveAccessibleDescription(/end before they begin/);
    await field('From', dialog).fill('20:40');
    await field('To', dialog).fill('01:20');
    await expect.element(dialog.getByText('1:20 AM on Monday')).toBeVisible();
    await field('Place', dialog).selectOptions('St. Mark’s');
    await add.click();
    await expect.element(cell('Sunday, 8:40 PM – 12:00 AM, St. Mark’s')).toHaveFocus();
    await expect.element(cell('Monday, 12:00 AM – 1:20 AM, St. Mark’s')).toBeVisible();
    const { weekly } = await saveAll();
    expect(weekly[0]).toEqual({ weekday: 1, from: '00:00', to: '01:20', placeId: church.id });
    expect(weekly.at(-1)).toEqual({ weekday: 7, from: '20:40', to: '24:00', placeId: church.id });
  });

  test('leaves hours at another place alone', { tags: ['long'] }, async () => {
    const church = { id: '01a20ca3-b402-7e74-bcca-6fd657bb8c01', name: 'St. Mark’s', town: 'Boston, MA' };
    await openEditor({
      'availability.mine': hours({
        places: [church],
        weekly: [...stored.weekly, { weekday: 7, from: '09:00', to: '12:00', placeId: church.id }],
      }),
    });
    await press(morning, '{Alt>}{ArrowLeft}{/Alt}');
    await expect.element(morning).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    const dialog = page.getByRole('dialog', { name: 'Edit hours' });
    await field('Day', dialog).selectOptions('Sunday');
    await field('From', dialog).fill('10:00');
    await field('To', dialog).fill('11:00');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.element(dialog.getByText('Another place already has these hours.')).toBeVisible();
    await field('To', dialog).fill('13:00');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.element(cell('Sunday, 12:00 PM – 1:00 PM')).toHaveFocus();
    await expect.element(cell('Sunday, 9:00 AM – 12:00 PM, St. Mark’s')).toBeVisible();
  });

  test('works by keyboard alone', { tags: ['long'] }, async () => {
    await openEditor();
    const news = (text: string) => page.getByText(text, { exact: true });
    await tabTo(morning);
    await expect.element(page.getByText(/^Arrow keys move/)).toBeVisible();
    await userEvent.keyboard('{Shift>}{ArrowUp}{ArrowUp}{/Shift}');
    await expect.element(cell('Monday, 9:00 AM – 12:30 PM')).toHaveFocus();
    await expect.element(news('Monday, 9:00 AM – 12:30 PM')).toBeInTheDocument();
    await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}{Alt>}{ArrowUp}{/Alt}');
    await expect.element(cell('Monday, 8:45 AM – 12:30 PM')).toHaveFocus();
    await expectFocusSeen();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(free('Monday, 12:30 PM – 1:00 PM')).toHaveFocus();
    await userEvent.keyboard('{Home}{ArrowLeft}{ArrowRight}{ArrowRight}');
    await expect.element(free('Wednesday, 7:00 AM – 8:00 AM')).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Delete}');
    await expect.element(free('Wednesday, 9:00 AM – 10:00 AM')).toHaveFocus();
    await expect.element(news('Removed Wednesday, 9:00 AM – 1:00 PM.')).toBeInTheDocument();
    await userEvent.keyboard('{Control>}z{/Control}');
    await expect.element(cell('Wednesday, 9:00 AM – 1:00 PM')).toHaveFocus();
    await expect.element(news('Undone.')).toBeInTheDocument();
    await userEvent.keyboard('{Home}{ArrowUp}{End}{Enter}');
    const dialog = page.getByRole('dialog', { name: 'Add hours' });
    await tabTo(field('From', dialog));
    await userEvent.keyboard('0715PM{Enter}');
    await expect.element(cell('Wednesday, 7:15 PM – 8:00 PM')).toHaveFocus();
    await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}');
    await expect.element(cell('Thursday, 7:15 PM – 8:00 PM')).toHaveFocus();
    await tabTo(saveButton, 160);
    await userEvent.keyboard('{Enter}');
    await expect.element(saved).toBeVisible();
    const week = askedFor('availability.save').at(-1) as AvailabilityView;
    expect(hoursOn(week, 1)).toEqual(['08:45-12:30', '14:00-19:00']);
    expect(hoursOn(week, 4)).toEqual(['09:00-13:00', '14:00-19:00', '19:15-20:00']);
  });

  test(
    'keeps what was drawn after a failed save, and shows which hours were refused',
    { tags: ['long'] },
    async () => {
      const fields = [{ field: 'weekly.1.from', reason: 'skipped_time' }];
      await openEditor({ 'availability.save': unreachable });
      await press(morning, '{Shift>}{ArrowUp}{/Shift}');
      const shorter = cell('Monday, 9:00 AM – 12:45 PM');
      await saveButton.click();
      await expect.element(page.getByRole('alert')).toMatchTextContent(/Your changes are still here/);
      await expect.element(shorter).toBeVisible();
      await pressWith(saveButton, { 'availability.save': refusal(400, 'invalid', 'invalid', { fields }) });
      const refused = cell('Monday, 2:00 PM – 7:00 PM');
      await expect.element(refused).toHaveFocus();
      await expect.element(refused).toHaveAccessibleDescription(/Clocks change/);
      await expectFair('refused hours');
      answer({ 'availability.save': save });
      expect(hoursOn(await saveAll(), 1)).toEqual(['09:00-12:45', '14:00-19:00']);
    },
  );

  test('shows all 24 hours on request', async () => {
    await openEditor();
    expect(free('Monday, 3:00 AM – 4:00 AM').query()).toBe(null);
    await page.getByRole('button', { name: 'Show 24 hours' }).click();
    await expect.element(free('Monday, 3:00 AM – 4:00 AM')).toBeVisible();
    await page.getByRole('button', { name: 'Show fewer hours' }).click();
    await expect.element(free('Monday, 3:00 AM – 4:00 AM')).not.toBeInTheDocument();
  });
});

test('is accessible', async () => {
  await openEditor({
    'appointments.previewAvailability': { ...clashing, starts: ['2026-11-25T14:00:00Z'] },
  });
  await expect.element(preview.getByRole('list').first()).toBeVisible();
  await expectFair('the editor');
});

test('is accessible with no free times, a clash, and invalid windows', async () => {
  await openRows({ 'appointments.previewAvailability': clashing });
  await page.getByRole('radio', { name: /^Sabbath/ }).click();
  await expect.element(preview.getByText('No open times', { exact: true })).toBeVisible();
  await field('Monday, first window, to').fill('08:00');
  await saveButton.click();
  await expect.element(page.getByText('These hours end before they begin.')).toBeVisible();
  await expectFair('windows with problems');
});
