import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectNoViolation, phone } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import type { AppointmentView, StartRefusal } from '../appointment/contract.ts';
import type { BookInput } from '../booking/contract.ts';

const client = recordedFor('client');
const sarah = client['providers.get'];
const dialog = page.getByRole('dialog', { name: 'Book Appointment' });
const confirmed = page.getByRole('dialog', { name: 'Appointment Confirmed' });
const confirm = dialog.getByRole('button', { name: 'Confirm Appointment' });
const days = dialog.getByRole('grid');
const times = dialog.getByRole('radiogroup', { name: /^Time/ });
const timeAt = (time: string) => times.getByRole('radio', { name: time });
const summary = dialog.getByRole('region', { name: 'Appointment Summary' });

/** UTC starts for these winter hours in New York. */
function startsOn(date: string, hours: readonly number[]): string[] {
  return hours.map((hour) => `${date}T${hour + 5}:00:00Z`);
}

/** Upcoming Wednesdays with three free times each; Chicago is one hour behind. */
const wednesdays = ['2026-12-02', '2026-12-09', '2026-12-16'].flatMap((date) => startsOn(date, [9, 10, 15]));

/** Filters by range, like the server. */
function freeStarts({ from, to }: { from: string; to: string }, starts = wednesdays) {
  const within = starts.filter((start) => start >= from && start < to);
  return { timeZone: 'America/New_York', starts: within, places: [] };
}

function book(input: BookInput): Response {
  const { startsAt, sessionType, durationMinutes } = input;
  const appointment = {
    ...client['appointments.mine'][0]!,
    actions: [],
    status: 'confirmed',
    sessionType,
    startsAt,
    endsAt: new Date(Date.parse(startsAt) + durationMinutes * 60_000).toISOString(),
    durationMinutes,
  } as AppointmentView;
  return Response.json({ bookingId: appointment.bookingId, appointments: [appointment] }, { status: 201 });
}

/** Opens the dialog from an email link. */
async function openBooking(answers: Readonly<Record<string, unknown>> = {}, service = 'individuals') {
  await openPage(`/faq?book=${sarah.id}&service=${service}`, {
    as: 'client',
    answers: { 'appointments.freeStarts': freeStarts, 'appointments.book': book, ...answers },
  });
  await expect.element(dialog).toBeVisible();
}

async function chooseTime(): Promise<void> {
  await days.getByRole('button', { name: /Wednesday, December 9/ }).click();
  await timeAt('08:00 AM').click();
}

/** Fills in the required fields. */
async function fill(): Promise<void> {
  await chooseTime();
  await dialog.getByRole('radio', { name: /Online Video Call/ }).click();
  await dialog.getByLabelText('Full name').fill('Faithful Visitor');
}

test(
  'marks missing fields, focuses the first, and books once on a double click',
  { tags: ['long'] },
  async () => {
    await openBooking();
    await expect.element(days.getByRole('button', { name: /Wednesday, December 2,/ })).toBeEnabled();
    await dialog.getByLabelText('Full name').fill('');
    await dialog.getByLabelText('Email').fill('');
    await confirm.click();
    await expect.element(page.getByText('Please fill in all required fields.')).toBeVisible();
    for (const text of [
      'Choose a time.',
      'Choose how you’d like to meet.',
      'Enter your name.',
      'Enter your email.',
    ])
      await expect.element(dialog.getByText(text)).toBeVisible();
    await expect.element(dialog.getByLabelText('Full name')).toHaveAttribute('aria-invalid', 'true');
    await expect.element(timeAt('08:00 AM')).toHaveFocus();
    await expectNoViolation('a booking with problems');

    await chooseTime();
    await dialog.getByRole('radio', { name: /Phone Call/ }).click();
    await dialog.getByLabelText('Full name').fill('Ruth Everly');
    await confirm.click();
    await expect.element(dialog.getByText('Enter the number your specialist should call.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Phone' }).fill('+1 617 555 0100');
    await dialog.getByLabelText('Email').fill('ruth at home');
    const missing = page.getByText('Please fill in all required fields.');
    await expect.element(missing, { timeout: 4_000 }).not.toBeInTheDocument();
    await confirm.click();
    await expect.element(dialog.getByText('Enter an email address, such as name@example.com.')).toBeVisible();
    await expect.element(dialog.getByLabelText('Email')).toHaveFocus();
    expect(askedFor('appointments.book')).toEqual([]);

    await dialog.getByLabelText('Email').fill('ruth@home.example');
    await confirm.dblClick();
    await expect.element(confirmed).toBeVisible();
    await expect
      .poll(() => askedFor('appointments.book'))
      .toMatchObject([
        {
          startsAt: '2026-12-09T14:00:00Z',
          sessionType: 'phone',
          contact: { name: 'Ruth Everly', email: 'ruth@home.example', phone: '+1 617 555 0100' },
        },
      ]);
  },
);

test('starts on the first open date, and on that of the month turned to', { tags: ['long'] }, async () => {
  await openBooking();
  const [december, january] = ['Wednesday, December 2', 'Wednesday, January 6'];
  await expect.element(times).toMatchTextContent(december);
  await expect.element(days.getByRole('gridcell', { selected: true })).toMatchTextContent('2');
  answer({
    'appointments.freeStarts': (input: { from: string; to: string }) =>
      freeStarts(input, [...wednesdays, ...startsOn('2027-01-06', [9])]),
  });
  await dialog.getByRole('button', { name: 'Next month' }).click();
  await expect.element(times).toMatchTextContent(january);
  await timeAt('08:00 AM').click();
  await dialog.getByRole('button', { name: 'Previous month' }).click();
  await expect.element(times).toMatchTextContent(january);
});

test('keeps the choices through a reload, until the dialog closes', { tags: ['long'] }, async () => {
  const answers = { 'appointments.checkSeries': [] };
  const reload = async () => {
    await openPage(`/faq${window.location.search}`, {
      as: 'client',
      answers: { 'appointments.freeStarts': freeStarts, ...answers },
    });
  };
  await openBooking(answers);
  await chooseTime();
  await dialog.getByRole('radio', { name: /Phone Call/ }).click();
  await dialog.getByRole('radio', { name: /90 minutes/ }).click();
  await dialog.getByRole('radio', { name: 'Biweekly' }).click();
  await reload();
  await expect.element(timeAt('08:00 AM')).toBeChecked();
  for (const name of [/Phone Call/, /90 minutes/, 'Biweekly'])
    await expect.element(dialog.getByRole('radio', { name })).toBeChecked();
  await days.getByRole('button', { name: /Wednesday, December 16/ }).click();
  await reload();
  await expect.element(times).toMatchTextContent('Wednesday, December 16');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => window.location.search).not.toContain('book=');
});

test('writes no choices to another history entry', { tags: ['long'] }, async () => {
  await openBooking();
  await chooseTime();
  const before = window.location.search;
  expect(before).toContain('start=');
  window.history.replaceState({ key: 'another' }, '');
  await timeAt('09:00 AM').click();
  await expect.element(timeAt('09:00 AM')).toBeChecked();
  expect(window.location.search).toBe(before);
  window.history.replaceState(null, '');
});

test.each<[StartRefusal, title: string, advice: string]>([
  ['too_little_notice', 'Sessions must be booked at least 24 hours ahead', 'Choose a later time.'],
  ['outside_hours', 'Dr. Sarah Whitfield isn’t available at that time', 'Choose another time.'],
  ['day_full', 'Dr. Sarah Whitfield is fully booked that day', 'Choose another day.'],
  [
    'own_clash',
    'You already have a session at that time',
    'Choose another time, or reschedule the other session.',
  ],
  ['past', 'That time has already passed', 'Choose a later time.'],
])('explains a refused booking: %s', async (reason, title, advice) => {
  await openBooking({ 'appointments.book': refusal(409, 'conflict', reason) });
  await fill();
  await confirm.click();
  await expect
    .element(dialog.getByRole('alert'))
    .toMatchTextContent(`${title}Nothing was booked, and your entries are still here. ${advice}`);
  await expect.element(dialog.getByLabelText('Full name')).toHaveValue('Faithful Visitor');
});

test(
  'offers the next free times when one was taken, and books the selected one',
  { tags: ['long'] },
  async () => {
    const data = { nextFreeStarts: startsOn('2026-12-09', [10, 15]) };
    await openBooking({ 'appointments.book': refusal(409, 'conflict', 'slot_taken', { data }) });
    await fill();
    await dialog.getByRole('textbox', { name: 'Phone' }).fill('+1 555 010 0199');
    await confirm.click();
    const alert = dialog.getByRole('alert').filter({ hasText: 'That time has just been taken' });
    await expect.element(alert).toMatchTextContent('The next open times:');
    await expectNoViolation('a booking that was refused');
    await expect.element(dialog.getByRole('textbox', { name: 'Phone' })).toHaveValue('+1 555 010 0199');
    await pressWith(alert.getByRole('button', { name: 'Wed, Dec 9, 9:00 AM' }), {
      'appointments.book': book,
    });
    await expect.element(confirm).toHaveFocus();
    await confirm.click();
    await expect.element(confirmed).toBeVisible();
    await expect
      .poll(() => askedFor('appointments.book').at(-1))
      .toMatchObject({ startsAt: '2026-12-09T15:00:00Z' });
  },
);

test('closes days without free times as soon as the refusal reports it', async () => {
  await openBooking({ 'appointments.book': refusal(409, 'conflict', 'outside_hours') });
  await fill();
  answer({ 'appointments.freeStarts': (input: { from: string; to: string }) => freeStarts(input, []) });
  await confirm.click();
  await expect.element(days.getByRole('button', { name: /Wednesday, December 16/ })).toBeDisabled();
});

test('shows a higher price and charges it only after confirmation', { tags: ['long'] }, async () => {
  const priceCents = 99_500;
  await openBooking({
    'appointments.book': refusal(409, 'conflict', 'price_changed', { data: { priceCents } }),
  });
  await fill();
  const services = client['catalogue.services'].map((one) => ({
    ...one,
    priceCents,
    lengthPrices: [30, 60, 90].map((minutes) => ({ minutes, priceCents })),
  }));
  await pressWith(confirm, { 'catalogue.services': services });
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('The price is now $995');
  await expect.element(summary).toMatchTextContent('$995');
  await pressWith(confirm, { 'appointments.book': book });
  await expect.element(confirmed).toBeVisible();
  const [before, after] = askedFor('appointments.book') as BookInput[];
  expect(before!.priceCents).not.toBe(priceCents);
  expect(after!.priceCents).toBe(priceCents);
});

test('reports an unreachable server and books once on retry', { tags: ['long'] }, async () => {
  await openBooking({ 'appointments.book': unreachable });
  await fill();
  await confirm.click();
  await expect.element(dialog.getByRole('alert')).toBeVisible();
  await pressWith(confirm, { 'appointments.book': book });
  await expect.element(confirmed).toBeVisible();
  const [first, second] = askedFor('appointments.book') as [BookInput, BookInput];
  expect(second.idempotencyKey).toBe(first.idempotencyKey);
});

test('starts with this week, and disables days that are past or have no open time', async () => {
  await openBooking({
    'appointments.freeStarts': (input: { from: string; to: string }) =>
      freeStarts(input, [...startsOn('2026-11-25', [15]), ...wednesdays]),
  });
  const open = () => days.getByRole('button', { disabled: false }).elements();
  await expect.poll(() => open().map((one) => one.ariaLabel)).toEqual(['Wednesday, November 25, 2026']);
  await expect
    .element(dialog.getByRole('button', { name: 'Previous month' }))
    .toHaveAttribute('aria-disabled', 'true');
  const [first] = days.getByRole('button').elements();
  expect(first!.ariaLabel).toBe('Sunday, November 22, 2026');
  expect(first!.matches(':disabled')).toBe(true);
});

test('starts weeks on Sunday and disables the specialist’s days off', async () => {
  await openBooking();
  await expect.element(days.getByRole('button', { name: /Wednesday, December 9/ })).toBeEnabled();
  const heads = [...days.element().querySelectorAll('thead th')].map((one) => one.textContent);
  expect(heads).toEqual(['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa']);
  const sundays = days.getByRole('button', { name: /Sunday/ }).elements();
  expect(sundays.length).toBeGreaterThan(3);
  expect(sundays.every((one) => one.matches(':disabled'))).toBe(true);
});

/** Returns the durations offered for a service. */
async function lengthsOf(service: string): Promise<(string | null)[]> {
  await openBooking({ 'providers.get': { ...sarah, serviceIds: [service] } }, service);
  const lengths = dialog.getByRole('radiogroup', { name: /^Duration/ });
  await expect.element(lengths).toBeVisible();
  return [...lengths.element().querySelectorAll('label')].map((one) => one.textContent);
}

test('offers 30, 60 or 90 minutes, each with its price', async () => {
  expect(await lengthsOf('individuals')).toEqual([
    '30 minutes · $60',
    '60 minutes · $120',
    '90 minutes · $180',
  ]);
});

test('also offers the service’s own duration', async () => {
  expect(await lengthsOf('families')).toEqual([
    '30 minutes · $60',
    '60 minutes · $120',
    '75 minutes · $150',
    '90 minutes · $180',
  ]);
});

test('summarizes the booking, and limits a series to 2 to 12 sessions', { tags: ['long'] }, async () => {
  const starts = ['2026-12-09T14:00:00Z', '2026-12-23T14:00:00Z'];
  await openBooking({
    'appointments.checkSeries': starts.map((startsAt) => ({ startsAt, refusal: null })),
  });
  await expect.element(dialog.getByRole('radio', { name: 'One-time' })).toBeChecked();
  await expect.element(summary).toHaveTextContent('');
  for (const type of [/^Online Video Call/, /^Phone Call/, /^In-Person/])
    await expect.element(dialog.getByRole('radio', { name: type })).toBeVisible();
  await fill();
  await expect.element(summary).toMatchTextContent('Online Video Call');
  await expect.element(summary).toMatchTextContent(/\$120, settled with your specialist/);
  await dialog.getByRole('radio', { name: 'Biweekly' }).click();
  const sessions = dialog.getByLabelText('Number of sessions');
  await expect.element(sessions).toHaveValue('4');
  const offered = sessions
    .getByRole('option')
    .elements()
    .map((one) => Number.parseInt(one.textContent, 10));
  expect(offered).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  await sessions.selectOptions('2');
  await confirm.click();
  await expect.element(confirmed).toBeVisible();
  await expect
    .poll(() => askedFor('appointments.book'))
    .toMatchObject([{ recurrence: 'biweekly', sessions: 2 }]);
});

test('sets a series’ reminder although one of its sessions was canceled', { tags: ['long'] }, async () => {
  const starts = ['2026-12-09T14:00:00Z', '2026-12-16T14:00:00Z'];
  const series = starts.map((startsAt, index) => ({
    ...client['appointments.mine'][0]!,
    id: `01a20c00-0000-7000-8000-00000000000${index}`,
    status: 'confirmed',
    startsAt,
  }));
  await openBooking({
    'appointments.checkSeries': starts.map((startsAt) => ({ startsAt, refusal: null })),
    'appointments.book': { bookingId: series[0]!.bookingId, appointments: series },
    'appointments.setReminder': ({ appointmentId }: { appointmentId: string }) =>
      appointmentId === series[0]!.id ? refusal(409, 'conflict', 'wrong_status') : series[1],
  });
  await fill();
  await dialog.getByRole('radio', { name: 'Weekly', exact: true }).click();
  await dialog.getByLabelText('Number of sessions').selectOptions('2');
  await confirm.click();
  await confirmed.getByLabelText('Reminder', { exact: true }).selectOptions('1 hour before');
  await expect.element(confirmed.getByText('Saved.')).toBeVisible();
  expect(askedFor('appointments.setReminder')).toMatchObject(
    series.map(({ id }) => ({ appointmentId: id, minutes: 60 })),
  );
});

test(
  'offers the specialist’s session types, with their terms beside the summary',
  { tags: ['long'] },
  async () => {
    await page.viewport(phone.width, phone.height);
    await openBooking({ 'providers.get': { ...sarah, sessionTypes: ['phone', 'in-person'] } });
    await expect.element(dialog.getByText('Licensed clinician').first()).toBeVisible();
    await chooseTime();
    const types = dialog.getByRole('radiogroup', { name: 'Session type' }).getByRole('radio');
    await expect.poll(() => types.elements()).toHaveLength(2);
    await dialog.getByRole('radio', { name: /In-Person/ }).click();
    const means = dialog.getByRole('region', { name: 'Confidentiality' });
    await expect.element(means).toMatchTextContent('Bound by confidentiality law');
    means.element().scrollIntoView({ block: 'nearest' });
    await expect.element(means).toBeInViewport({ ratio: 1 });
    await expect.element(summary).toBeInViewport({ ratio: 1 });
    const footer = summary.element().parentElement!;
    expect(footer.offsetHeight / phone.height).toBeLessThan(0.1);
    await expectNoViolation('the booking dialog with what binds the specialist');
  },
);

test('shows taken sessions of a series and books none until all are free', { tags: ['long'] }, async () => {
  const series = ['2026-12-09', '2026-12-16', '2026-12-23', '2026-12-30'];
  const check = ({ startsAt }: { startsAt: string }) =>
    series.map((date, index) => ({
      startsAt: date + startsAt.slice(10),
      refusal: index === 2 && startsAt.includes('T14') ? 'slot_taken' : null,
    }));
  await openBooking({ 'appointments.checkSeries': check });
  await fill();
  await dialog.getByRole('radio', { name: 'Weekly', exact: true }).click();
  const plan = dialog.getByRole('region', { name: 'Your sessions' });
  await expect.element(plan.getByRole('listitem')).toHaveLength(4);
  await expect.element(plan.getByRole('listitem').nth(2)).toMatchTextContent('Already taken');
  await expect.element(plan.getByRole('alert')).toMatchTextContent('1 of 4 sessions can’t be booked');
  await confirm.click();
  await expect.element(plan.getByRole('alert')).toBeVisible();
  expect(askedFor('appointments.book')).toEqual([]);
  await timeAt('09:00 AM').click();
  await expect.element(plan).toMatchTextContent('All 4 times are open');
  await expect.element(summary).toMatchTextContent('Weekly, 4 sessions');
  await confirm.click();
  await expect.element(confirmed).toBeVisible();
  await expect
    .poll(() => askedFor('appointments.book'))
    .toMatchObject([{ startsAt: '2026-12-09T15:00:00Z', recurrence: 'weekly', sessions: 4 }]);
});

test('shows times in both time zones if the specialist’s differs', { tags: ['long'] }, async () => {
  await openBooking();
  await fill();
  await expect
    .element(dialog)
    .toMatchTextContent('Times are in your time zone, Chicago. Dr. Sarah Whitfield is on New York time.');
  await expect.element(summary).toMatchTextContent('Wed, Dec 9, 8:00 AM');
  await expect.element(summary).toMatchTextContent('9:00 AM in New York');
  await confirm.click();
  await expect.element(confirmed).toMatchTextContent('8:00 AM – 9:00 AM');
  await expect.element(confirmed).toMatchTextContent('9:00 AM in New York');
});

test('keeps times and controls in place while another length loads', async () => {
  await openBooking();
  await chooseTime();
  const half = dialog.getByRole('radio', { name: '30 minutes' });
  const top = () => half.element().getBoundingClientRect().top - days.element().getBoundingClientRect().top;
  const before = top();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  answer({
    'appointments.freeStarts': async (input: { from: string; to: string }) => {
      await promise;
      return freeStarts(input, startsOn('2026-12-09', [10, 15]));
    },
  });
  const asked = askedFor('appointments.freeStarts').length;
  await half.click();
  await expect.poll(() => askedFor('appointments.freeStarts').length).toBeGreaterThan(asked);
  await expect.element(times.getByRole('radio')).toHaveLength(3);
  expect(top()).toBe(before);
  resolve(undefined);
  await expect.element(times.getByRole('radio')).toHaveLength(2);
  await expect.element(dialog.getByText(/8:00 AM.*30 minutes/)).toBeVisible();
});

test('shows an empty day’s eighteen half-hour times, with noon as 12:00 PM', async () => {
  const timeZone = 'America/Chicago';
  const halves = [15, 15.5, 16, 16.5, 17, 17.5, 18, 18.5, 20, 20.5, 21, 21.5, 22, 22.5, 23, 23.5, 24, 24.5];
  const starts = halves.map((hour) => new Date(Date.UTC(2026, 11, 9, 0, hour * 60)).toISOString());
  await openBooking({
    'providers.get': { ...sarah, timeZone },
    'appointments.freeStarts': (input: { from: string; to: string }) => ({
      ...freeStarts(input, starts),
      timeZone,
    }),
  });
  await dialog.getByRole('radio', { name: '30 minutes' }).click();
  await days.getByRole('button', { name: /Wednesday, December 9/ }).click();
  await expect.element(times.getByRole('radio')).toHaveLength(18);
  const labels = [...times.element().querySelectorAll('label')].map((one) => one.textContent);
  expect(labels).toEqual([
    '09:00 AM',
    '09:30 AM',
    '10:00 AM',
    '10:30 AM',
    '11:00 AM',
    '11:30 AM',
    '12:00 PM',
    '12:30 PM',
    '02:00 PM',
    '02:30 PM',
    '03:00 PM',
    '03:30 PM',
    '04:00 PM',
    '04:30 PM',
    '05:00 PM',
    '05:30 PM',
    '06:00 PM',
    '06:30 PM',
  ]);
});

test('resets after a booking', { tags: ['long'] }, async () => {
  await openPage('/therapists', {
    as: 'client',
    answers: {
      'appointments.freeStarts': freeStarts,
      'appointments.book': book,
      'specialistSearch.nextStarts': [],
    },
  });
  const opener = page.getByRole('button', { name: 'Book Session with Dr. Sarah Whitfield' }).first();
  await opener.click();
  await dialog.getByLabelText('Service').selectOptions('Individual Healing');
  await fill();
  await dialog.getByRole('textbox', { name: 'Phone' }).fill('+1 555 010 0144');
  await confirm.click();
  await expect.element(page.getByText('Appointment booked with Dr. Sarah Whitfield!')).toBeVisible();
  await confirmed.getByRole('button', { name: 'Done' }).click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await opener.click();
  await expect.element(days).toBeVisible();
  await expect.element(times.getByRole('radio', { checked: true })).not.toBeInTheDocument();
  await expect.element(dialog.getByRole('radio', { name: 'One-time' })).toBeChecked();
  await expect.element(dialog.getByRole('radio', { name: /Online Video Call/ })).not.toBeChecked();
  await expect.element(dialog.getByRole('textbox', { name: 'Phone' })).toHaveValue('');
  await expect.element(summary).toHaveTextContent('');
});
