import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import type { AvailabilityView } from '#/features/availability/contract.ts';
import type { AvailabilityPreview } from '#/features/booking/preview/contract.ts';
import { answer, askedFor, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { desktop, expectFair, phone } from '../../../../tests/components/fair.ts';
import { expectFocusSeen, press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const stored = recordedFor('doctor')['availability.mine'] as AvailabilityView;
const saveButton = page.getByRole('button', { name: 'Save changes' });
const saved = page.getByRole('listitem').filter({ hasText: 'Your availability is saved' });
const preview = page.getByRole('region', { name: 'What clients would see' });
const dates = page.getByRole('region', { name: 'Days off and extra dates' });
const told = page
  .getByRole('alert')
  .filter({ hasText: 'Your hours were saved in another window meanwhile.' });
const noTime: AvailabilityPreview = {
  timeZone: stored.timeZone,
  starts: [],
  clashes: { sessions: [], count: 0 },
};

/** A field of the editor, or of a part of it. */
const field = (name: string, within: Pick<Locator, 'getByLabelText'> = page) =>
  within.getByLabelText(name, { exact: true });
const day = (name: string) => page.getByRole('switch', { name: `${name}, open for sessions` });

/** The hours, of which some things are different. */
function hours(change: Partial<AvailabilityView>): AvailabilityView {
  return { ...stored, ...change };
}

/** Saves as the server does. */
function save({ version, ...week }: AvailabilityView): AvailabilityView {
  return hours({ ...week, version: version + 1 });
}

/** Opens the editor of the demo's doctor, who has the usual hours in New York. */
async function openEditor(answers: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await openPage('/availability', {
    as: 'doctor',
    answers: { 'booking.previewAvailability': noTime, 'availability.save': save, ...answers },
  });
  await expect.element(field('Monday, first window, from')).toBeEnabled();
}

/** Saves, and gives what was sent. */
async function saveAll(): Promise<AvailabilityView> {
  await saveButton.click();
  await expect.element(saved).toBeVisible();
  await expect.element(saveButton).not.toBeInTheDocument();
  return askedFor('availability.save').at(-1) as AvailabilityView;
}

test('asks a guest to sign in', async () => {
  await openPage('/availability');
  await expect.element(page.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
  await expect.element(page.getByText('Sign in with the account that you work with.')).toBeInTheDocument();
});

test('tells a client that it isn’t theirs, and nothing else', async () => {
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

test('says that the hours can’t be loaded, and tries again', async () => {
  await openPage('/availability', { as: 'doctor', answers: { 'availability.mine': unreachable } });
  const failed = page.getByText('Your hours couldn’t be loaded.');
  await expect.element(failed).toBeVisible();
  answer({ 'availability.mine': stored, 'booking.previewAvailability': noTime });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(day('Monday')).toBeEnabled();
  expect(failed.query()).toBe(null);
});

test('shows what clients would see of unsaved hours, in a zone that is chosen', async () => {
  const starts = ['2026-12-07T14:00:00Z', '2026-12-07T14:30:00Z', '2026-12-07T17:00:00Z'];
  await openEditor();
  await expect.element(preview.getByText('No time would be free', { exact: true })).toBeVisible();
  answer({ 'booking.previewAvailability': { ...noTime, starts } });
  await field('Monday, first window, to').fill('11:00');
  await preview.getByLabelText('In the time zone of').selectOptions('America/New_York');
  await preview.getByRole('button', { name: 'Later week' }).click();
  await preview.getByRole('button', { name: /^Monday, .*, 3 free times$/ }).click();
  await expect.element(preview.getByRole('button', { name: /^Tuesday, .*, nothing free$/ })).toBeVisible();
  const times = () =>
    preview
      .getByRole('listitem')
      .elements()
      .map((one) => one.textContent);
  await expect.poll(times).toEqual(['09:00 AM', '09:30 AM', '12:00 PM']);
  await preview.getByLabelText('In the time zone of').selectOptions('Europe/London');
  await expect.poll(times).toEqual(['02:00 PM', '02:30 PM', '05:00 PM']);
  await expect
    .poll(() => askedFor('booking.previewAvailability').at(-1))
    .toMatchObject({ weekly: [{ weekday: 1, from: '09:00', to: '11:00' }, ...stored.weekly.slice(1)] });
  expect(askedFor('availability.save')).toEqual([]);
});

test('copies the hours of one day to others, and lets a day end at midnight', async () => {
  await openEditor();
  await page.getByRole('button', { name: 'Remove Monday, second window' }).click();
  await expect.element(field('Monday, first window, from')).toHaveFocus();
  await field('Monday, first window, from').fill('20:00');
  await field('Monday, first window, to').fill('00:00');
  await expect.element(page.getByText('until the day ends at midnight')).toBeVisible();
  await page.getByRole('button', { name: 'Copy hours of Monday to other days' }).click();
  await page.getByRole('menuitem', { name: 'Every day' }).click();
  const { weekly } = await saveAll();
  expect(weekly.map(({ weekday, from, to }) => `${weekday} ${from}-${to}`)).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((one) => `${one} 20:00-24:00`),
  );
});

test('asks for a date that is right, and keeps the note', async () => {
  const past = refusal(400, 'invalid', 'invalid', { fields: [{ field: 'from', reason: 'in_past' }] });
  await openEditor({ 'availability.setDates': past });
  await page.getByRole('button', { name: 'Add days off' }).click();
  const dialog = page.getByRole('dialog', { name: 'A date that differs' });
  await dialog.getByRole('button', { name: 'Save date' }).click();
  await expect.element(dialog.getByText('Choose a date.')).toBeVisible();
  await expectFair('the dialog of a date');
  await field('Date', dialog).fill('2020-01-06');
  await dialog.getByLabelText('Note').fill('With my mother');
  await dialog.getByRole('button', { name: 'Save date' }).click();
  await expect
    .element(dialog.getByText('This date is in the past. Choose today or a later one.'))
    .toBeVisible();
  await expect.element(field('Date', dialog)).toHaveFocus();
  await expect.element(dialog.getByLabelText('Note')).toHaveValue('With my mother');
});

test('gives a date other hours, and has a removed one back', async () => {
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
  answer({ 'availability.setDates': hours({ dates: [{ ...off, windows }] }) });
  await dates.getByRole('button', { name: 'Change Wed, Jan 6, 2027' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the date' });
  await dialog.getByRole('radio', { name: /^Other hours/ }).click();
  await field('Wed, Jan 6, 2027, first window, from', dialog).fill('20:00');
  await field('Wed, Jan 6, 2027, first window, to', dialog).fill('21:00');
  await dialog.getByRole('button', { name: 'Save date' }).click();
  await expect.element(entry).toMatchTextContent(/8:00 PM to 9:00 PM/);
  await expect
    .poll(() => askedFor('availability.setDates').at(-1))
    .toMatchObject({ windows, note: 'Family visit' });
});

test('keeps holidays of a region off, as they are pressed', async () => {
  const { regions } = recordedFor('doctor')['availability.holidays'];
  const christmas = { name: 'Christmas Day', isPublic: true, isKept: false, dates: ['2026-12-25'] };
  let names: string[] = [];
  await openEditor({
    'availability.holidays': ({ region }: { region?: string }) => ({
      regions,
      kept: names.length > 0 ? { region: 'US-NY', names } : null,
      holidays: region ? [{ ...christmas, isKept: names.includes(christmas.name) }] : [],
    }),
    'availability.keepHolidays': (input: { region: string; names: string[] }) => {
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
    .poll(() => askedFor('availability.keepHolidays'))
    .toEqual([
      { region: 'US-NY', names: ['Christmas Day'] },
      { region: 'US-NY', names: [] },
    ]);
});

test('asks for the city of a Sabbath rest, and shows its next times', async () => {
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
  await expect
    .element(page.getByText('Choose your city from the list, or type its coordinates.'))
    .toBeVisible();
  const city = page.getByRole('combobox', { name: 'Your place' });
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

test('takes coordinates for a city, as long as they are on this earth', async () => {
  const place = { name: 'Boston', latitude: 42.35, longitude: -71.05, timeZone: null };
  await openEditor({ 'availability.mine': hours({ rest: { kind: 'sabbath', place } }) });
  await page.getByRole('button', { name: 'Type coordinates instead' }).click();
  await field('Latitude').fill('99');
  await saveButton.click();
  await expect.element(page.getByText('Enter degrees from −90 to 90, such as 42.36.')).toBeVisible();
  await expect.element(field('Latitude')).toHaveFocus();
  await field('Latitude').fill('42.36');
  expect((await saveAll()).rest.place).toMatchObject({ latitude: 42.36, longitude: -71.05 });
});

test.each([
  [
    'overlap',
    ['second', '12:00', '19:00'],
    'This window overlaps another one of the same day. Change one of them, or remove it.',
  ],
  [
    'end before they begin',
    ['first', '13:00', '09:00'],
    'This window ends before it begins. Swap the times, or choose a later end.',
  ],
  [
    'go past midnight',
    ['second', '22:00', '02:00'],
    'A window can’t go past midnight. End it at 12:00 AM, and add the rest on the next day.',
  ],
  [
    'are too short',
    ['first', '09:00', '09:15'],
    'Not even your shortest session fits into this window. Make it longer, or remove it.',
  ],
  ['are not filled in', ['first', '', '13:00'], 'Enter both times in full, such as 9:00 AM.'],
] as const)('refuses windows that %s, in words at their place', async (_, [which, from, to], sentence) => {
  await openEditor();
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
  await expect.element(page.getByText('Not saved: one thing needs another look.')).toBeInTheDocument();
  expect(askedFor('availability.save')).toEqual([]);
  // What is mended is said at once.
  await begin.fill(was);
  await end.fill(which === 'first' ? '13:00' : '19:00');
  await expect.element(begin).not.toHaveAccessibleDescription(sentence);
  await begin.fill(which === 'first' ? '09:30' : '14:30');
  await saveAll();
});

test('says at its window what only the server can refuse', async () => {
  const fields = [{ field: 'weekly.1.from', reason: 'skipped_time' }];
  await openEditor({ 'availability.save': refusal(400, 'invalid', 'invalid', { fields }) });
  await field('Monday, second window, from').fill('14:30');
  await saveButton.click();
  await expect.element(field('Monday, second window, from')).toHaveFocus();
  await expect.element(field('Monday, second window, from')).toHaveAccessibleDescription(/clocks/);
});

test('says that the hours couldn’t be saved, and keeps them to be saved with the next press', async () => {
  await openEditor({ 'availability.save': unreachable });
  await field('Monday, first window, to').fill('12:00');
  await saveButton.click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  await expect.element(field('Monday, first window, to')).toHaveValue('12:00');
  answer({ 'availability.save': save });
  expect((await saveAll()).weekly[0]).toMatchObject({ weekday: 1, to: '12:00' });
});

test('keeps own terms within the site’s; the site’s hold where none are typed', async () => {
  await openEditor({ 'availability.setApproval': (input: object) => input });
  await field('Minutes between').fill('5');
  await field('Notice in hours').fill('soon');
  await field('Most in a day').fill('99');
  await saveButton.click();
  const terms = page.getByRole('region', { name: 'Session terms' });
  await expect.element(terms.getByText('The site asks for at least 15.')).toBeVisible();
  await expect.element(terms.getByText('Enter a whole number, or leave it empty.')).toBeVisible();
  await expect.element(terms.getByText('The site allows at most 8.')).toBeVisible();
  await expect.element(field('Minutes between')).toHaveFocus();
  await field('Minutes between').fill('30');
  await field('Notice in hours').fill('');
  await field('Most in a day').fill('4');
  await terms.getByRole('checkbox', { name: '90 minutes' }).click();
  expect((await saveAll()).terms).toEqual({
    sessionLengths: [30, 60],
    bufferMinutes: 30,
    noticeHours: null,
    dailyMaximum: 4,
  });
  await terms.getByRole('switch', { name: 'Confirm bookings by hand' }).click();
  await expect.element(page.getByText('New bookings wait for you')).toBeInTheDocument();
  await expect.poll(() => askedFor('availability.setApproval')).toEqual([{ approvesFirst: true }]);
});

/** A preview in which a session of the doctor’s lies outside the hours. */
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

test('lists the booked sessions outside the hours, before they are saved and after', async () => {
  await openEditor();
  const clashes = preview.getByRole('region', { name: 'One booked session lies outside these hours' });
  await expect.element(preview.getByText('No time would be free', { exact: true })).toBeVisible();
  expect(clashes.query()).toBe(null);
  answer({ 'booking.previewAvailability': clashing });
  await day('Tuesday').click();
  await expect.element(clashes).toMatchTextContent(/Tue, Dec 1, 10:00 AM/);
  await expect.element(clashes).toMatchTextContent(/with Ruth Amsel, outside your hours/);
  await expect.element(clashes).toMatchTextContent(/They stay booked, also when you save\./);
  await expect
    .element(clashes.getByRole('link', { name: /^Open in your schedule/ }))
    .toHaveAttribute('href', '/schedule?view=day&date=2026-12-01');
  await saveAll();
  await expect.element(clashes).toBeVisible();
});

test('tells of hours that another window saved meanwhile, and saves what was typed over them', async () => {
  const theirs = hours({ weekly: stored.weekly.filter(({ weekday }) => weekday !== 6), version: 2 });
  await openEditor({
    'availability.save': (input: AvailabilityView) =>
      input.version < theirs.version ? refusal(409, 'conflict', 'changed_meanwhile') : save(input),
  });
  await field('Monday, first window, to').fill('12:00');
  answer({ 'availability.mine': theirs });
  await saveButton.click();
  await expect.element(told).toBeVisible();
  await expect.element(field('Monday, first window, to')).toHaveValue('12:00');
  await expectFair('another window was first');
  await told.getByRole('button', { name: 'Save mine instead' }).click();
  await expect.element(saved).toBeVisible();
  const last = askedFor('availability.save').at(-1) as AvailabilityView;
  expect(last).toMatchObject({ version: 2 });
  expect(last.weekly).toContainEqual({ weekday: 1, from: '09:00', to: '12:00', placeId: null });
  expect(last.weekly).toContainEqual({ weekday: 6, from: '09:00', to: '13:00', placeId: null });
});

test('takes what another window saved in place of what was typed', async () => {
  await openEditor();
  await field('Monday, first window, to').fill('11:00');
  answer({
    'availability.mine': hours({ weekly: stored.weekly.filter(({ weekday }) => weekday !== 5), version: 2 }),
  });
  tellPage({ type: 'availability.changed' });
  await told.getByRole('button', { name: 'Load what was saved' }).click();
  await expect.element(field('Monday, first window, to')).toHaveValue('13:00');
  await expect.element(day('Friday')).not.toBeChecked();
  await expect.element(saveButton).not.toBeInTheDocument();
  // Where nothing is typed, it follows by itself.
  answer({ 'availability.mine': hours({ version: 3 }) });
  tellPage({ type: 'availability.changed' });
  await expect.element(day('Friday')).toBeChecked();
});

test('asks before unsaved hours are left or discarded', async () => {
  await openEditor();
  const home = page.getByRole('banner').getByRole('link', { name: 'Home', exact: true });
  await field('Monday, first window, to').fill('12:00');
  await home.click();
  await page
    .getByRole('alertdialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Stay' })
    .click();
  await expect.element(field('Monday, first window, to')).toHaveValue('12:00');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expectFair('discarding');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect.element(field('Monday, first window, to')).toHaveValue('13:00');
  await home.click();
  await expect.poll(address).toBe('/home');
});

test('names a place of the provider’s own for a window', async () => {
  const house = {
    id: '01a20ca3-b402-7e74-bcca-6fd657bb8c01',
    name: 'The House by the River',
    town: 'Boston, MA',
  };
  await openEditor({ 'availability.mine': hours({ places: [house] }) });
  await preview.getByLabelText('Session type').selectOptions('in-person');
  await field('Monday, first window, place').selectOptions('The House by the River');
  await expect
    .poll(() => askedFor('booking.previewAvailability').at(-1))
    .toMatchObject({ sessionType: 'in-person', weekly: [{ placeId: house.id }, ...stored.weekly.slice(1)] });
  expect((await saveAll()).weekly[0]).toMatchObject({ weekday: 1, placeId: house.id });
});

for (const viewport of [phone, desktop]) {
  test(`is edited and saved by keyboard alone, ${viewport.width} pixels wide`, async () => {
    await page.viewport(viewport.width, viewport.height);
    await openEditor();
    await press(day('Monday'), ' ');
    await expect.element(page.getByText('Monday is a day off now.')).toBeInTheDocument();
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
    await press(page.getByRole('button', { name: 'Copy hours of Monday to other days' }));
    await expect.element(page.getByRole('menuitem', { name: 'Monday to Friday' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect
      .element(page.getByText('The hours of Monday are copied to: Monday to Friday.'))
      .toBeInTheDocument();
    await tabTo(saveButton, 160);
    await userEvent.keyboard('{Enter}');
    await expect.element(saved).toBeVisible();
    const [{ weekly }] = askedFor('availability.save') as [AvailabilityView];
    expect(weekly.filter(({ from, to }) => `${from}-${to}` === '09:00-12:00')).toHaveLength(5);
  });
}

test('is fair to everybody', async () => {
  await openEditor({
    'booking.previewAvailability': { ...clashing, starts: ['2026-11-25T14:00:00Z'] },
  });
  await expect.element(preview.getByRole('list').first()).toBeVisible();
  await expectFair('the editor');
});

test('is fair to everybody without a free time, with a clash and windows with problems', async () => {
  await openEditor({ 'booking.previewAvailability': clashing });
  await page.getByRole('radio', { name: /^Sabbath/ }).click();
  await expect.element(preview.getByText('No time would be free', { exact: true })).toBeVisible();
  await field('Monday, first window, to').fill('08:00');
  await saveButton.click();
  await expect.element(page.getByText('This window ends before it begins.')).toBeVisible();
  await expectFair('windows with problems');
});
