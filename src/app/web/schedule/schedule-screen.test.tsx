import { describe, expect, test } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import type {
  AgendaBlock,
  AgendaDay,
  AgendaEntry,
  AgendaView,
} from '#/features/appointments/agenda/contract.ts';
import { dateAfter, monthWeeks, weekOf } from '#/features/appointments/agenda/rules.ts';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { answer, askedFor, pressWith, refusal, unreachable } from '../../../../tests/components/answers.ts';
import { expectFair, expectNoViolation, phone } from '../../../../tests/components/fair.ts';
import { expectFocusSeen, press, tabTo } from '../../../../tests/components/keyboard.ts';
import { address, openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const doctor = recordedFor('doctor');
const today = doctor['appointments.agenda'].today;
const [someSession] = doctor['appointments.mine'];
const client = doctor['care.clients.list'].clients[0]!;
const sunday = '2026-12-06';
const [monday, wednesday] = [dateAfter(sunday, 1), dateAfter(sunday, 3)];

/** New York standard time. */
function at(date: string, hour: number): string {
  return new Date(Date.parse(`${date}T05:00:00Z`) + hour * 3_600_000).toISOString().replace('.000', '');
}

let made = 0;

function entry(date: string, hour: number, more: Partial<AgendaEntry> = {}): AgendaEntry {
  made += 1;
  return {
    id: `01a20ca3-0000-7000-8000-${String(made).padStart(12, '0')}`,
    startsAt: at(date, hour),
    endsAt: at(date, hour + 1),
    status: 'confirmed',
    kind: 'follow-up',
    sessionType: 'online',
    clientName: client.name,
    service: 'Individual Healing',
    ...more,
  };
}

function appointmentOf({ clientName, ...one }: AgendaEntry, actions: AppointmentView['actions']) {
  return {
    ...someSession!,
    ...one,
    service: someSession!.service,
    client: { ...someSession!.client, id: client.id, name: clientName },
    actions,
  };
}

interface Content {
  entries?: readonly AgendaEntry[];
  blocks?: AgendaBlock[];
  rest?: AgendaView['rest'];
  days?: Readonly<Record<string, Partial<AgendaDay>>>;
}

/** Returns a week or month with hours 9–1 and 2–7, except Sundays. */
function agendaOf({ entries = [], blocks = [], rest = 'none', days = {} }: Content) {
  return ({ span, date = today }: { span: string; date?: string }): AgendaView => ({
    timeZone: 'America/New_York',
    today,
    rest,
    days: (span === 'week' ? weekOf(date) : monthWeeks(date).flat()).map((one) => {
      const own = entries.filter(({ startsAt }) => startsAt >= at(one, 0) && startsAt < at(one, 24));
      const count = (status: string) => own.filter((session) => session.status === status).length;
      const open = [at(one, 9), at(one, 13), at(one, 14), at(one, 19)] as const;
      return {
        date: one,
        startsAt: at(one, 0),
        endsAt: at(one, 24),
        open: weekOf(one)[0] === one ? [] : stretches(open),
        rest: [],
        off: null,
        counts: {
          pending: count('pending'),
          confirmed: count('confirmed'),
          completed: count('completed'),
          no_show: count('no_show'),
          cancelled: 0,
        },
        entries: span === 'week' ? own : own.slice(0, 3),
        ...days[one],
      };
    }),
    blocks,
  });
}

function stretches([from, to, again, until]: readonly [string, string, string, string]) {
  return [
    { startsAt: from, endsAt: to },
    { startsAt: again, endsAt: until },
  ];
}

async function openCalendar(
  where: string,
  content: Content = {},
  answers: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await openPage(`/schedule?${where}`, {
    as: 'doctor',
    answers: { 'appointments.agenda': agendaOf(content), 'appointments.mine': [], ...answers },
  });
  await expect.element(page.getByText('Times in New York', { exact: true })).toBeVisible();
}

const grid = page.getByRole('grid', { name: 'Days' });
const main = page.getByRole('main');
const toast = (text: string) => page.getByRole('listitem').filter({ hasText: text });
const waiting = page.getByRole('region', { name: 'Waiting for your confirmation' });
const day = (name: string | RegExp) => grid.getByRole('button', { name });
const session = (name: string) =>
  page.getByRole('listitem').getByRole('button', { name: new RegExp(`^\\d?\\d:\\d\\d [AP]M.*${name}`) });

function focused(): string | undefined {
  return (document.activeElement as HTMLElement).dataset.date;
}

test('asks a guest to sign in', { tags: ['long'] }, async () => {
  await openPage('/schedule?view=year&date=2026-02-31');
  await expect.element(page.getByRole('dialog', { name: "You're almost there!" })).toBeVisible();
  expect(page.getByRole('button', { name: 'Book for a client' }).query()).toBe(null);
});

test('denies access to a client', async () => {
  const denied = refusal(403, 'forbidden');
  await openPage('/schedule', {
    as: 'client',
    answers: { 'appointments.agenda': denied, 'availability.mine': denied },
  });
  await expect.element(main).toMatchTextContent(/Access denied/);
  expect(page.getByRole('button', { name: 'Book for a client' }).query()).toBe(null);
});

test('shows this week for an invalid URL', async () => {
  await openCalendar('view=year&date=2026-02-31');
  await expect
    .element(day(/^Today, Tuesday, November 24: no sessions/))
    .toHaveAttribute('aria-current', 'date');
});

test('shows a retry when the calendar can’t be loaded', { tags: ['long'] }, async () => {
  await openPage('/schedule', {
    as: 'doctor',
    answers: { 'appointments.agenda': unreachable, 'appointments.mine': [] },
  });
  const again = page.getByRole('button', { name: 'Try again' });
  await expect.element(again).toBeVisible();
  await expectNoViolation('a calendar that couldn’t be loaded');
  await pressWith(again, { 'appointments.agenda': agendaOf({}) });
  await expect.element(day(/^Today/)).toBeVisible();
});

test('navigates days, weeks and months by keyboard, and updates the URL', { tags: ['long'] }, async () => {
  const entries = [entry(monday, 9), entry(monday, 11, { status: 'pending' })];
  await openCalendar('view=week', { entries }, { 'appointments.get': appointmentOf(entries[0]!, []) });
  await tabTo(day(/^Today/));
  await userEvent.keyboard('{PageDown}{PageDown}{Home}');
  await expect.poll(focused).toBe(sunday);
  await expect.poll(address).toBe(`/schedule?view=week&date=${sunday}`);
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(focused).toBe(monday);
  await expect.element(day('Monday, December 7: 2 sessions, 1 waiting')).toHaveFocus();
  await expectFocusSeen();
  const column = page.getByRole('list', { name: 'Monday, December 7' });
  await expect.poll(() => column.getByRole('button', { name: client.name }).elements()).toHaveLength(2);
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe(`/schedule?view=day&date=${monday}`);
  await expect
    .element(page.getByRole('heading', { level: 2, name: 'Monday, December 7, 2026' }))
    .toBeVisible();
  const first = page.getByRole('button', { name: /^9:00 AM.*Grace/ });
  await press(first);
  const dialog = page.getByRole('dialog', { name: `Session with ${client.name}` });
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(first).toHaveFocus();
  await page.getByRole('link', { name: 'Month', exact: true }).click();
  await expect.element(page.getByRole('heading', { level: 2, name: 'December 2026' })).toBeVisible();
  await tabTo(day(/^Monday, December 7/));
  await userEvent.keyboard('{ArrowDown}{End}');
  await expect.poll(focused).toBe(dateAfter(monday, 12));
  await userEvent.keyboard('{PageUp}t');
  await expect.poll(focused).toBe(today);
  expect(grid.element().querySelectorAll('[tabindex="0"]')).toHaveLength(1);
});

test('keeps the text of a focused day uncovered', async () => {
  await openCalendar('view=month&date=2026-12-19');
  await tabTo(day(/^Saturday, December 19/));
  const shown = document.activeElement!.nextElementSibling as HTMLElement;
  shown.style.pointerEvents = 'auto';
  const { left, top } = shown.getBoundingClientRect();
  expect(shown.contains(document.elementFromPoint(left + 12, top + 12))).toBe(true);
});

test('keeps the focus when keys follow each other quickly', { tags: ['long'] }, async () => {
  await openCalendar('view=month&date=2026-12-19');
  await tabTo(day(/^Saturday, December 19/));
  for (let count = 0; count < 40; count += 1) {
    const [key, date] = count % 2 === 0 ? ['PageDown', '2027-01-19'] : ['PageUp', '2026-12-19'];
    document.activeElement!.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
    // The router is at another point each time.
    for (let turn = 0; turn <= count % 8; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    expect(focused(), `after press ${count}`).toBe(date);
  }
  await expect.poll(address).toBe('/schedule?view=month&date=2026-12-19');
  expect(focused()).toBe('2026-12-19');
});

test('stays compact with 300 sessions in a month, and opens a day', { tags: ['long'] }, async () => {
  const entries = Array.from({ length: 26 * 12 }, (_, index) =>
    entry(dateAfter('2026-12-01', Math.floor(index / 12)), 8 + (index % 12), {
      clientName: `Client ${index}`,
    }),
  );
  const listed = () =>
    page
      .getByRole('listitem')
      .getByRole('button', { name: /Client \d+/ })
      .elements();
  await openCalendar('view=month&date=2026-12-01', { entries });
  await expect.element(day('Tuesday, December 1: 12 sessions')).toBeVisible();
  await expect.element(page.getByText('+9 more').first()).toBeVisible();
  expect(document.querySelectorAll('*').length).toBeLessThan(1_500);
  await tabTo(day(/^Tuesday, December 1:/));
  await userEvent.keyboard('{ArrowRight}{ArrowDown}{Enter}');
  await expect.poll(address).toBe('/schedule?view=day&date=2026-12-09');
  await expect.poll(listed).toHaveLength(12);
  await page.viewport(phone.width, phone.height);
  await page.getByRole('link', { name: 'Month', exact: true }).click();
  await day(/^Thursday, December 3:/).click();
  await expect
    .element(page.getByRole('heading', { level: 3, name: 'Thursday, December 3, 2026' }))
    .toBeVisible();
  await expect.poll(listed).toHaveLength(12);
  expect(document.querySelectorAll('*').length).toBeLessThan(1_500);
  await expectFair('a full month');
});

test('names days off, rest and blocked time', async () => {
  const [thursday, friday, saturday] = [4, 5, 6].map((days) => dateAfter(sunday, days)) as [
    string,
    string,
    string,
  ];
  await openCalendar(`view=week&date=${sunday}`, {
    rest: 'sabbath',
    days: {
      [thursday]: { open: [], off: { note: 'The conference', holiday: null } },
      [friday]: { rest: [{ startsAt: at(friday, 16), endsAt: at(friday, 24) }] },
      [saturday]: { rest: [{ startsAt: at(saturday, 0), endsAt: at(saturday, 17) }] },
    },
    blocks: [
      {
        id: '01a20ca3-0000-7000-8000-00000000000b',
        startsAt: at(monday, 9),
        endsAt: at(monday, 19),
        note: 'The dentist',
      },
    ],
  });
  for (const name of [
    'Monday, December 7: no sessions, Blocked time',
    'Thursday, December 10: no sessions, The conference',
    'Friday, December 11: no sessions, Sabbath rest from 4:00 PM',
    'Saturday, December 12: no sessions, Sabbath rest until 5:00 PM',
  ])
    await expect.element(day(name)).toBeVisible();
  await expect
    .element(page.getByRole('list', { name: 'Saturday, December 12' }))
    .toMatchTextContent('Sabbath rest');
});

for (const view of ['day', 'week', 'month'])
  test(`is accessible in the ${view}`, async () => {
    const entries = [
      entry(monday, 9),
      entry(monday, 11, { status: 'pending', kind: 'emergency' }),
      entry(monday, 14, { status: 'completed' }),
      entry(monday, 16, { status: 'no_show' }),
    ];
    const pending = appointmentOf(entries[1]!, ['confirm', 'decline']);
    await openCalendar(
      `view=${view}&date=${monday}`,
      { entries, rest: 'sunday' },
      { 'appointments.mine': [pending] },
    );
    await expect.element(waiting).toBeVisible();
    await expectFair(`the ${view}`);
  });

describe('the line of the current time', () => {
  const line = () => document.querySelector<HTMLElement>('[data-now]');
  const openAt = async (hour: number) => {
    await openPage(`/schedule?view=day&date=${today}`, {
      as: 'doctor',
      answers: { 'appointments.agenda': agendaOf({}), 'appointments.mine': [] },
      at: new Date(at(today, hour)),
    });
    await expect.element(page.getByText('Times in New York', { exact: true })).toBeVisible();
    await expect.element(page.getByRole('list', { name: /, / }).first()).toBeInTheDocument();
  };

  test('stands between its hours', async () => {
    await openAt(14.5);
    await expect.poll(line).not.toBeNull();
    const top = (label: string) =>
      page.getByText(label, { exact: true }).first().element().getBoundingClientRect();
    const { top: now } = line()!.getBoundingClientRect();
    expect(now).toBeGreaterThan(top('2:00 PM').bottom);
    expect(now).toBeLessThan(top('3:00 PM').top);
  });

  for (const [when, hour] of [
    ['before the first', 6],
    ['after the last', 21.5],
  ] as const)
    test(`is missing ${when} hour`, async () => {
      await openAt(hour);
      expect(line()).toBeNull();
    });
});

test('says on phones that a day is empty', async () => {
  await page.viewport(phone.width, phone.height);
  await openCalendar(`view=week&date=${monday}`, { entries: [entry(monday, 9)] });
  await day(/^Tuesday, December 8/).click();
  await expect.element(page.getByText('No sessions on this day')).toBeVisible();
  await expectNoViolation('an empty day on phones');
});

test('prints the day’s list without controls', async () => {
  await openCalendar(`view=day&date=${monday}`, { entries: [9, 11, 14].map((hour) => entry(monday, hour)) });
  await cdp().send('Emulation.setEmulatedMedia', { media: 'print' });
  try {
    await expect.poll(() => page.getByRole('table').getByRole('row').elements()).toHaveLength(4);
    await expect.element(page.getByRole('button', { name: 'Block time' })).not.toBeInTheDocument();
  } finally {
    await cdp().send('Emulation.setEmulatedMedia', {
      media: '',
      features: [{ name: 'prefers-reduced-motion', value: 'reduce' }],
    });
  }
});

test('opens a session with its actions and the client’s page', { tags: ['long'] }, async () => {
  const one = entry(monday, 9);
  await openCalendar(
    `view=week&date=${monday}`,
    { entries: [one] },
    { 'appointments.get': appointmentOf(one, ['mark_emergency', 'cancel']) },
  );
  await session(client.name).click();
  const dialog = page.getByRole('dialog', { name: `Session with ${client.name}` });
  await expect
    .element(dialog.getByRole('link', { name: `Open ${client.name}’s page` }))
    .toHaveAttribute('href', `/clients/${client.id}`);
  await expectFair('a session');
  await pressWith(dialog.getByRole('button', { name: /^Actions for/ }), {
    'appointments.markEmergency': appointmentOf({ ...one, kind: 'emergency' }, ['cancel']),
    'appointments.get': appointmentOf({ ...one, kind: 'emergency' }, ['cancel']),
    'appointments.agenda': agendaOf({ entries: [{ ...one, kind: 'emergency' }] }),
  });
  await page.getByRole('menuitem', { name: 'Mark as emergency' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Mark as emergency' }).click();
  await expect.element(dialog.getByText('Emergency', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.element(session(client.name)).toMatchTextContent('Emergency');
});

describe('dragging', () => {
  const tuesday = dateAfter(sunday, 2);
  const one = entry(monday, 9);
  const freeOn = (name: string) =>
    page.getByRole('list', { name }).getByRole('button', { name: /^Free, 2:00 PM/ });
  // A drag near the edge scrolls the page.
  const scrollAwayFromEdge = () => window.scrollTo(0, 200);

  test(
    'a session to another day and hour asks about the move, with its length kept',
    { tags: ['long'] },
    async () => {
      const appointment = appointmentOf(one, ['reschedule']);
      await openCalendar(
        `view=week&date=${monday}`,
        { entries: [one] },
        {
          'appointments.get': appointment,
          'appointments.freeStarts': {
            timeZone: 'America/New_York',
            starts: [at(tuesday, 14), at(tuesday, 15)],
            places: [],
          },
        },
      );
      scrollAwayFromEdge();
      await userEvent.dragAndDrop(session(client.name), freeOn('Tuesday, December 8'), {
        sourcePosition: { x: 30, y: 8 },
        targetPosition: { x: 30, y: 70 },
      });
      const dialog = page.getByRole('dialog', { name: 'Reschedule', exact: true });
      await expect.element(dialog).toMatchTextContent('New time: Tue, Dec 8, 3:00 PM');
      await pressWith(dialog.getByRole('button', { name: 'Reschedule appointment' }), {
        'appointments.reschedule': { ...appointment, startsAt: at(tuesday, 15) },
      });
      await expect
        .poll(() => askedFor('appointments.reschedule'))
        .toEqual([{ appointmentId: one.id, startsAt: at(tuesday, 15) }]);
    },
  );

  test('a session that can’t move shows its details', async () => {
    await openCalendar(
      `view=week&date=${monday}`,
      { entries: [one] },
      { 'appointments.get': appointmentOf(one, ['cancel']) },
    );
    await userEvent.dragAndDrop(session(client.name), freeOn('Tuesday, December 8'));
    await expect.element(page.getByRole('dialog', { name: `Session with ${client.name}` })).toBeVisible();
  });

  test('over free time fills in a block', { tags: ['long'] }, async () => {
    await openCalendar(`view=week&date=${monday}`);
    scrollAwayFromEdge();
    const free = freeOn('Tuesday, December 8');
    await userEvent.dragAndDrop(free, free, {
      sourcePosition: { x: 30, y: 10 },
      targetPosition: { x: 40, y: 120 },
    });
    const dialog = page.getByRole('dialog', { name: 'Block time' });
    await expect.element(dialog.getByLabelText('Date')).toHaveValue(tuesday);
    await expect.element(dialog.getByLabelText('From', { exact: true })).toHaveValue('14:00');
    await expect.element(dialog.getByLabelText('To', { exact: true })).toHaveValue('16:00');
  });
});

test(
  'keeps an answer being written, and the focus, when its session was answered elsewhere',
  { tags: ['long'] },
  async () => {
    const entries = [entry(monday, 9, { status: 'pending' }), entry(monday, 11, { status: 'pending' })];
    const [going, staying] = entries.map((one) => appointmentOf(one, ['confirm', 'decline']));
    await openCalendar(`view=week&date=${monday}`, { entries }, { 'appointments.mine': [going, staying] });
    await waiting.getByRole('button', { name: 'Decline', exact: true }).first().click();
    const question = page.getByRole('alertdialog');
    const reason = question.getByLabelText('Reason');
    await reason.fill('My child is ill.');
    answer({
      'appointments.mine': [staying],
      'appointments.agenda': agendaOf({ entries: entries.slice(1) }),
    });
    tellPage({ type: 'booking.changed' });
    await expect.element(question.getByRole('alert')).toMatchTextContent('This appointment has changed');
    await expect.element(reason).toHaveValue('My child is ill.');
    await expectNoViolation('an answer whose session was answered elsewhere');
    await question.getByRole('button', { name: 'Go back' }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expect.poll(() => waiting.getByRole('listitem').elements()).toHaveLength(1);
    await expect
      .poll(() => document.activeElement !== document.body && main.element().contains(document.activeElement))
      .toBe(true);
  },
);

const blocking = page.getByRole('dialog', { name: 'Block time' });
const blocked = {
  id: '01a20ca3-0000-7000-8000-0000000000b1',
  startsAt: at(monday, 9),
  endsAt: at(monday, 19),
  note: 'The dentist',
};

test(
  'shows blocking errors at their field, names the clashing session, and keeps the note',
  { tags: ['long'] },
  async () => {
    const one = entry(monday, 10);
    await openCalendar(
      `view=day&date=${monday}`,
      { entries: [one] },
      {
        'appointments.mine': ({ status }: { status?: string }) => (status ? [] : [appointmentOf(one, [])]),
        'availability.block': blocked,
      },
    );
    await press(page.getByRole('button', { name: 'Block time' }));
    await expect.poll(() => blocking.element().contains(document.activeElement)).toBe(true);
    const to = blocking.getByLabelText('To', { exact: true });
    await blocking.getByLabelText('From', { exact: true }).fill('09:00');
    await to.fill('08:00');
    await blocking.getByLabelText('Note').fill('The dentist');
    await blocking.getByRole('button', { name: 'Block this time' }).click();
    await expect.element(blocking.getByText('The end must come after the start.')).toBeVisible();
    await expect.element(to).toHaveFocus();
    await expectFair('a block with a problem');
    await to.fill('19:00');
    await expect.element(blocking.getByText('1 session is booked during this time.')).toBeVisible();
    await expect.element(blocking.getByLabelText('Note')).toHaveValue('The dentist');
    await blocking.getByRole('button', { name: 'Block this time' }).click();
    await expect.element(blocking).not.toBeInTheDocument();
    const { id: _, ...sent } = blocked;
    await expect.poll(() => askedFor('availability.block')).toEqual([sent]);
  },
);

test('blocks a half day with one press', { tags: ['long'] }, async () => {
  await openCalendar(`view=day&date=${monday}`, {}, { 'availability.block': blocked });
  await press(page.getByRole('button', { name: 'Block time' }));
  await blocking.getByRole('button', { name: 'From noon' }).click();
  await blocking.getByRole('button', { name: 'Block this time' }).click();
  await expect
    .poll(() => askedFor('availability.block'))
    .toEqual([{ startsAt: at(monday, 12), endsAt: at(monday, 24), note: '' }]);
});

test('limits a typed year to four digits', async () => {
  await openCalendar(`view=day&date=${monday}`);
  await press(page.getByRole('button', { name: 'Block time' }));
  await tabTo(blocking.getByLabelText('Date'));
  await userEvent.keyboard('123120266');
  await expect.element(blocking.getByLabelText('Date')).toHaveValue('0266-12-31');
});

test('blocks whole days', async () => {
  await openCalendar(`view=day&date=${wednesday}`, {}, { 'availability.block': blocked });
  await page.getByRole('button', { name: 'Block time' }).click();
  await blocking.getByRole('switch', { name: /All day/ }).click();
  await blocking.getByLabelText('First day').fill(wednesday);
  await blocking.getByLabelText('Last day').fill(dateAfter(wednesday, 2));
  await blocking.getByRole('button', { name: 'Block this time' }).click();
  await expect.element(blocking).not.toBeInTheDocument();
  await expect
    .poll(() => askedFor('availability.block'))
    .toEqual([{ startsAt: at(wednesday, 0), endsAt: at(dateAfter(wednesday, 3), 0), note: '' }]);
});

test('removes a block, and can restore it', { tags: ['long'] }, async () => {
  await openCalendar(`view=day&date=${monday}`, { blocks: [blocked] });
  const block = page.getByRole('listitem').getByRole('button', { name: /The dentist/ });
  await block.click();
  const change = page.getByRole('dialog', { name: 'Blocked time' });
  await expectFair('a block');
  await pressWith(change.getByRole('button', { name: 'Remove block' }), {
    'availability.unblock': { id: blocked.id },
    'appointments.agenda': agendaOf({}),
  });
  await expect.element(block).not.toBeInTheDocument();
  await pressWith(toast('Block removed').getByRole('button', { name: 'Undo' }), {
    'availability.block': blocked,
    'appointments.agenda': agendaOf({ blocks: [blocked] }),
  });
  await expect.element(block).toBeVisible();
  const { id: blockId, ...same } = blocked;
  await expect.poll(() => askedFor('availability.unblock')).toMatchObject([{ blockId }]);
  await expect.poll(() => askedFor('availability.block')).toEqual([same]);
});

const booking = page.getByRole('dialog', { name: 'Book for a client' });
const bookIt = booking.getByRole('button', { name: 'Book session' });
const who = booking.getByRole('combobox', { name: 'Client' });
const freeHours = [9, 10, 15].map((hour) => at(wednesday, hour));

async function openFreeWeek(answers: Readonly<Record<string, unknown>> = {}, view = 'week'): Promise<void> {
  await openCalendar(
    `view=${view}&date=${wednesday}`,
    {},
    {
      'appointments.freeStarts': { timeZone: 'America/New_York', starts: freeHours, places: [] },
      'appointments.bookFor': ({ sessions, recurrence }: { sessions: number; recurrence: string }) => ({
        bookingId: someSession!.bookingId,
        appointments: Array.from({ length: recurrence === 'one_time' ? 1 : sessions }, () => someSession),
      }),
      ...answers,
    },
  );
}

const freeMorning = page.getByRole('button', {
  name: 'Free, 9:00 AM – 1:00 PM, Wednesday, December 9: book for a client',
});

test(
  'books for a client at a free time, once everything required is chosen',
  { tags: ['long'] },
  async () => {
    await openFreeWeek();
    await press(freeMorning);
    await expect.poll(() => booking.element().contains(document.activeElement)).toBe(true);
    await bookIt.click();
    await expect.element(booking.getByText('Choose a client from the list.')).toBeVisible();
    await expect.element(who).toHaveFocus();
    await expectFair('booking for a client');
    await who.fill('grace');
    await booking.getByRole('option', { name: client.name }).click();
    await booking.getByLabelText('Service').selectOptions('individuals');
    await booking.getByRole('radio', { name: 'Online Video Call' }).click();
    await expect.element(booking.getByRole('radio', { name: '09:00 AM' })).toBeChecked();
    await bookIt.click();
    await expect.element(toast(`Session booked for ${client.name}`)).toBeVisible();
    await expect
      .poll(() => askedFor('appointments.bookFor'))
      .toMatchObject([
        { clientId: client.id, serviceId: 'individuals', startsAt: at(wednesday, 9), sessionType: 'online' },
      ]);
  },
);

test(
  'books for a new client, and shows missing or rejected input at its field',
  { tags: ['long'] },
  async () => {
    const fields = [{ field: 'client.email', reason: 'yourself' }];
    await openFreeWeek({ 'care.records.book': refusal(400, 'invalid', 'invalid', { fields }) });
    await press(freeMorning);
    await booking.getByRole('radio', { name: 'New client' }).click();
    const name = booking.getByLabelText('Name', { exact: true });
    const email = booking.getByLabelText('Email');
    const number = booking.getByRole('textbox', { name: 'Phone' });
    await bookIt.click();
    await expect.element(name).toHaveFocus();
    await expect.element(booking.getByText('Enter an email address or a phone number.')).toBeVisible();
    await expectFair('booking for somebody new');
    await name.fill('Ruth Lane');
    await email.fill('ruth at home');
    await number.fill('12');
    await booking.getByLabelText('Service').selectOptions('individuals');
    await booking.getByRole('radio', { name: 'Online Video Call' }).click();
    await bookIt.click();
    await expect.element(email).toHaveFocus();
    await expect.element(email).toHaveAttribute('aria-invalid', 'true');
    await expect.element(number).toHaveAttribute('aria-invalid', 'true');
    expect(askedFor('care.records.book')).toEqual([]);
    await number.fill('');
    await email.fill(doctor['accounts.me'].email);
    await bookIt.click();
    await expect.element(booking.getByText('This is your own email address.')).toBeVisible();
    await expect.element(name).toHaveValue('Ruth Lane');
    answer({
      'care.records.book': {
        clientId: client.id,
        bookingId: someSession!.bookingId,
        appointments: [someSession],
      },
    });
    await email.fill('ruth@lane.example');
    await bookIt.click();
    await expect.element(toast('Session booked for Ruth Lane')).toBeVisible();
    await expect
      .poll(() => askedFor('care.records.book').at(-1))
      .toMatchObject({
        client: { name: 'Ruth Lane', email: 'ruth@lane.example' },
        startsAt: at(wednesday, 9),
      });
  },
);

test(
  'offers the next free times when one was just taken, and keeps the choices',
  { tags: ['long'] },
  async () => {
    const data = { nextFreeStarts: freeHours.slice(1) };
    await openFreeWeek({ 'appointments.bookFor': refusal(409, 'conflict', 'slot_taken', { data }) });
    await press(freeMorning);
    await who.fill('grace');
    await booking.getByRole('option', { name: client.name }).click();
    await booking.getByLabelText('Service').selectOptions('individuals');
    await booking.getByRole('radio', { name: 'Online Video Call' }).click();
    await expect.element(booking.getByRole('radio', { name: '09:00 AM' })).toBeChecked();
    await bookIt.click();
    const alert = booking.getByRole('alert');
    await expect.element(alert).toMatchTextContent('That time has just been taken');
    await expect.element(who).toHaveValue(client.name);
    await expectNoViolation('a booking that was refused');
    await alert.getByRole('button').first().click();
    await expect.element(bookIt).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect
      .poll(() => askedFor('appointments.bookFor')[1])
      .toMatchObject({ startsAt: at(wednesday, 10) });
  },
);

test('books a series by phone outside the provider’s hours', { tags: ['long'] }, async () => {
  await openFreeWeek();
  await page.getByRole('button', { name: 'Book for a client', exact: true }).click();
  await who.fill('grace');
  await booking.getByRole('option', { name: client.name }).click();
  await booking.getByLabelText('Service').selectOptions('grief');
  await booking.getByRole('radio', { name: 'Phone Call' }).click();
  await booking.getByLabelText('Client’s phone number').fill('+1 617 555 0100');
  await booking.getByRole('switch', { name: /Outside my hours/ }).click();
  await booking.getByLabelText('Date').fill(dateAfter(wednesday, 1));
  await booking.getByLabelText('Time', { exact: true }).fill('07:00');
  await booking.getByRole('radio', { name: 'Weekly', exact: true }).click();
  await booking.getByLabelText('Number of sessions').selectOptions('2');
  await bookIt.click();
  await expect.element(toast(`2 sessions booked for ${client.name}`)).toBeVisible();
  await expect
    .poll(() => askedFor('appointments.bookFor'))
    .toMatchObject([
      {
        startsAt: at(dateAfter(wednesday, 1), 7),
        phone: '+1 617 555 0100',
        outsideHours: true,
        recurrence: 'weekly',
        sessions: 2,
      },
    ]);
});

test('blocks time and books a client on phones by keyboard', { tags: ['long'] }, async () => {
  await page.viewport(phone.width, phone.height);
  await openFreeWeek({ 'availability.block': blocked }, 'day');
  await press(page.getByRole('button', { name: 'Block time' }));
  await tabTo(blocking.getByLabelText('Note'));
  await userEvent.keyboard('Lunch');
  await press(blocking.getByRole('button', { name: 'Block this time' }));
  await expect.element(blocking).not.toBeInTheDocument();
  await press(page.getByRole('button', { name: /^Free, 9:00 AM – 1:00 PM/ }));
  await tabTo(who);
  await userEvent.keyboard('grace');
  await expect.element(booking.getByRole('option', { name: client.name })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await tabTo(booking.getByLabelText('Service'));
  await userEvent.keyboard('Individual');
  await tabTo(booking.getByRole('radio', { name: 'Online Video Call' }));
  await userEvent.keyboard(' ');
  await press(bookIt);
  await expect.element(booking).not.toBeInTheDocument();
  await expect
    .poll(() => askedFor('appointments.bookFor'))
    .toMatchObject([{ clientId: client.id, sessionType: 'online' }]);
});
