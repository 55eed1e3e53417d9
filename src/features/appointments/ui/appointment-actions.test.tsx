import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, pressWith, refusal } from '../../../../tests/components/answers.ts';
import { expectFair } from '../../../../tests/components/fair.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';
import { tellPage } from '../../../../tests/components/socket.ts';

const sessions = recordedFor('client')['appointments.mine'];
const ahead = sessions.find(({ actions }) => actions.includes('cancel'))!;

/** Confirms a dialog, delaying the list refetch until the dialog has been checked. */
async function confirmWith(button: string, act: string, changed: object): Promise<void> {
  const question = page.getByRole('alertdialog');
  const { promise: list, resolve } = Promise.withResolvers<unknown>();
  answer({ [act]: changed, 'appointments.mine': () => list });
  const asked = askedFor('appointments.mine').length;
  await question.getByRole('button', { name: button }).click();
  await expect.poll(() => askedFor('appointments.mine').length).toBeGreaterThan(asked);
  expect(question.query()).not.toBeNull();
  resolve([changed]);
  await expect.element(question).not.toBeInTheDocument();
}

test('removes a canceled session from the list when its dialog closes', { tags: ['long'] }, async () => {
  await openPage('/home', { as: 'client', answers: { 'appointments.mine': [ahead] } });
  const { name } = ahead.provider;
  const card = page.getByRole('article', { name });
  await card.getByRole('button', { name: `Actions for the appointment with ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
  await confirmWith('Cancel appointment', 'appointments.cancel', {
    ...ahead,
    status: 'cancelled',
    actions: [],
  });
  await expect.element(card).not.toBeInTheDocument();
  await expect.element(page.getByText('Appointment canceled').first()).toBeVisible();
});

test('removes a declined request from the list when its dialog closes', { tags: ['long'] }, async () => {
  const { startsAt, endsAt } = ahead;
  const [held] = recordedFor('doctor')['appointments.mine'];
  const request = { ...held!, startsAt, endsAt, status: 'pending', actions: ['confirm', 'decline'] };
  await openPage('/profile?tab=sessions', { as: 'doctor', answers: { 'appointments.mine': [request] } });
  const card = page.getByRole('article');
  await card.getByRole('button', { name: 'Decline' }).click();
  await confirmWith('Decline', 'appointments.decline', { ...request, status: 'declined', actions: [] });
  // The list may render one task after the dialog has closed.
  await expect.element(card.getByRole('button', { name: 'Decline' })).not.toBeInTheDocument();
});

test('offers new times from the session’s day on', { tags: ['long'] }, async () => {
  const session = { ...ahead, startsAt: '2027-02-10T15:00:00Z', endsAt: '2027-02-10T16:00:00Z' };
  const starts = ['2027-02-03T15:00:00Z', session.startsAt, '2027-02-12T15:00:00Z'];
  await openPage('/profile?tab=sessions', {
    as: 'client',
    answers: {
      'appointments.mine': [session],
      'appointments.freeStarts': { timeZone: 'America/New_York', starts, places: [] },
    },
  });
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Reschedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reschedule' });
  await expect.element(dialog).toMatchTextContent('1 open time on Friday, February 12');
  await dialog.getByRole('button', { name: /Wednesday, February 3/ }).click();
  await expect.element(dialog).toMatchTextContent('1 open time on Wednesday, February 3');
});

test('explains the passed deadline and then offers only the reminder', { tags: ['long'] }, async () => {
  await openPage('/home', { as: 'client', answers: { 'appointments.mine': [ahead] } });
  const { name } = ahead.provider;
  const menu = page.getByRole('button', { name: `Actions for the appointment with ${name}` });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
  answer({
    'appointments.cancel': refusal(412, 'precondition', 'deadline_passed'),
    'appointments.mine': [{ ...ahead, actions: ['set_reminder'] }],
  });
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Cancel appointment' }).click();
  const alert = question.getByRole('alert');
  await expect.element(alert).toMatchTextContent('It’s too late to change this session here');
  await expect.element(alert).toMatchTextContent(`Contact ${name} directly`);
  await question.getByRole('button', { name: 'Go back' }).click();
  await menu.click();
  await expect.element(page.getByRole('menuitem')).toHaveTextContent('Reminder and calendar');
});

/** Four weekly sessions ahead; `changeable` controls whether the first can still be changed. */
function series(changeable: boolean) {
  return [0, 7, 14, 21].map((days, index) => {
    const moved = (instant: string) => new Date(Date.parse(instant) + days * 86_400_000).toISOString();
    return {
      ...ahead,
      id: `01a20c00-0000-7000-8000-00000000000${index}`,
      seriesIndex: index + 1,
      seriesCount: 4,
      startsAt: moved(ahead.startsAt),
      endsAt: moved(ahead.endsAt),
      actions: index === 0 && !changeable ? [] : ahead.actions,
    };
  });
}

/** Sessions after the next one are folded. */
async function openSeries(): Promise<void> {
  await page.getByText(`Weekly with ${ahead.provider.name} · 3 sessions`).click();
}

async function openCancelOfSecond(weekly: ReturnType<typeof series>): Promise<void> {
  await openPage('/home', {
    as: 'client',
    answers: { 'appointments.mine': weekly, 'appointments.series.ahead': weekly },
  });
  await openSeries();
  await page
    .getByRole('article', { name: ahead.provider.name })
    .nth(1)
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
}

test('asks which sessions of a series to cancel, and lists them, by keyboard', async () => {
  await openCancelOfSecond(series(true));
  const question = page.getByRole('alertdialog');
  const scopes = question.getByRole('radiogroup', { name: 'Which sessions?' });
  await expect.element(scopes.getByRole('radio')).toHaveLength(3);
  const only = scopes.getByRole('radio', { name: /^This session/ });
  await expect.element(only).toBeChecked();
  only.element().focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect
    .element(scopes.getByRole('radio', { name: /^This and following sessions 3 sessions/ }))
    .toBeChecked();
  await expect.element(question.getByText('3 sessions will be canceled')).toBeVisible();
  await expect.element(question.getByRole('listitem')).toHaveLength(3);
  await expect.element(question.getByRole('button', { name: 'Cancel 3 sessions' })).toBeEnabled();
});

test(
  'counts the canceled sessions of a series even if the notice arrives before the response',
  { tags: ['long'] },
  async () => {
    const weekly = series(true);
    await openCancelOfSecond(weekly);
    const question = page.getByRole('alertdialog');
    await question.getByRole('radio', { name: /^This and following sessions 3 sessions/ }).click();
    const { promise: response, resolve } = Promise.withResolvers<unknown>();
    const cancelled = weekly.slice(1).map((one) => ({ ...one, status: 'cancelled', actions: [] }));
    await pressWith(question.getByRole('button', { name: 'Cancel 3 sessions' }), {
      'appointments.series.cancel': () => response,
      'appointments.series.ahead': weekly.slice(0, 2),
    });
    tellPage({ type: 'booking.changed', id: weekly[1]!.id });
    await expect.element(question).not.toMatchTextContent('3 sessions will be canceled');
    answer({ 'appointments.mine': [weekly[0], ...cancelled] });
    resolve(cancelled);
    await expect.element(page.getByText('3 sessions canceled', { exact: true }).first()).toBeVisible();
  },
);

test('explains that one session of a series is too late to cancel', { tags: ['long'] }, async () => {
  await openCancelOfSecond(series(false));
  const question = page.getByRole('alertdialog');
  await question.getByRole('radio', { name: /^All upcoming sessions 4 sessions/ }).click();
  await expect.element(question.getByText('3 sessions will be canceled')).toBeVisible();
  await expect.element(question.getByText('Too late to change 1 session')).toBeVisible();
  await expect.element(question.getByText(`contact ${ahead.provider.name} directly`)).toBeVisible();
});

const several = sessions.find(({ service, actions }) => service.id === 'families' && actions.length > 0)!;

async function openActionsOfSeveral(flags: readonly string[]): Promise<void> {
  const site = { ...recordedFor('client')['settings.site'], flags };
  await openPage('/home', {
    as: 'client',
    answers: {
      'settings.site': site,
      'appointments.mine': [several],
      'attendees.list': { guests: [], places: 4, agreed: false },
    },
  });
  await page
    .getByRole('button', { name: `Actions for the appointment with ${several.provider.name}` })
    .click();
  await expect.element(page.getByRole('menuitem', { name: 'Reschedule' })).toBeVisible();
}

test('offers invitations only while multi-person sessions are on', async () => {
  const { flags } = recordedFor('client')['settings.site'];
  await openActionsOfSeveral(flags.filter((flag) => flag !== 'group_sessions'));
  expect(page.getByRole('menuitem', { name: 'Invite others' }).query()).toBeNull();
  await openActionsOfSeveral(flags);
  await expect.element(page.getByRole('menuitem', { name: 'Invite others' })).toBeVisible();
});

test('lists missing invitation fields and preselects no consent', { tags: ['long'] }, async () => {
  await openActionsOfSeveral(recordedFor('client')['settings.site'].flags);
  await page.getByRole('menuitem', { name: 'Invite others' }).click();
  const dialog = page.getByRole('dialog', { name: 'Guests' });
  const agree = dialog.getByRole('checkbox', { name: /keep what’s said in this session confidential/ });
  const send = dialog.getByRole('button', { name: 'Send invitation' });
  await expect.element(dialog.getByText('No one is invited yet.')).toBeVisible();
  await expect.element(agree).not.toBeChecked();
  await send.click();
  await expect.element(dialog.getByLabelText('Name')).toHaveFocus();
  await expect.element(dialog.getByText('Agree to this first.')).toBeVisible();
  expect(askedFor('attendees.invite')).toEqual([]);
  await expectFair('an invitation that lacks something');
  const boaz = {
    id: '01a20c00-0000-7000-8000-0000000000b0',
    name: 'Boaz',
    email: 'boaz@guests.example',
    state: 'invited',
    invitedAt: '2026-11-24T08:00:00Z',
    answeredAt: null,
    resendable: false,
  };
  answer({ 'attendees.invite': { guests: [boaz], places: 3, agreed: true } });
  await dialog.getByLabelText('Name').fill(boaz.name);
  await dialog.getByLabelText('Email address').fill(boaz.email);
  await agree.click();
  await send.click();
  await expect.element(page.getByText('Invitation sent').first()).toBeVisible();
  await expect.element(dialog.getByRole('listitem')).toMatchTextContent(/Boaz.*Invited/);
  // Consent carries over to later invitations.
  await expect.element(agree).not.toBeInTheDocument();
  await expect
    .poll(() => askedFor('attendees.invite'))
    .toMatchObject([{ appointmentId: several.id, name: boaz.name, email: boaz.email, agreed: true }]);
});

test(
  'names the date of the client’s conflict and moves no session of the series',
  { tags: ['long'] },
  async () => {
    const weekly = series(true);
    const startsAt = '2026-12-09T16:00:00Z';
    const later = (days: number) => new Date(Date.parse(startsAt) + days * 86_400_000).toISOString();
    const moves = weekly.slice(1).map(({ id, startsAt: from }, index) => ({
      appointmentId: id,
      from,
      startsAt: later(7 * index),
      refusal: index === 0 ? 'own_clash' : null,
    }));
    await openPage('/home', {
      as: 'client',
      answers: {
        'appointments.mine': weekly,
        'appointments.series.ahead': weekly,
        'appointments.series.check': moves,
        'appointments.freeStarts': { timeZone: 'America/New_York', starts: [startsAt], places: [] },
      },
    });
    await openSeries();
    const second = page.getByRole('article', { name: ahead.provider.name }).nth(1);
    await second.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Reschedule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reschedule' });
    await dialog.getByRole('radio', { name: /^This and following sessions 3 sessions/ }).click();
    await dialog.getByRole('button', { name: /Wednesday, December 9/ }).click();
    await dialog.getByRole('radiogroup', { name: /^Time/ }).getByRole('radio').first().click();
    const plan = dialog.getByRole('region', { name: 'New times' });
    await expect
      .element(plan.getByRole('listitem').first())
      .toMatchTextContent('You have another session then');
    await expect.element(plan.getByRole('alert')).toMatchTextContent('Choose another time.');
    // The selected session can't be excluded from its own move.
    expect(plan.getByRole('checkbox').query()).toBeNull();
    await dialog.getByRole('button', { name: /^Reschedule / }).click();
    await expect.element(plan.getByRole('alert')).toBeInViewport();
    expect(askedFor('appointments.series.reschedule')).toEqual([]);
  },
);
