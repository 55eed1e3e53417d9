import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor, refusal } from '../../../../tests/components/answers.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const sessions = recordedFor('client')['booking.mine'];
const ahead = sessions.find(({ actions }) => actions.includes('cancel'))!;

/** Presses a button of a question, and holds back the list that is asked for then until the question has been looked at. */
async function confirmWith(button: string, act: string, changed: object): Promise<void> {
  const question = page.getByRole('alertdialog');
  const { promise: list, resolve } = Promise.withResolvers<unknown>();
  answer({ [act]: changed, 'booking.mine': () => list });
  const asked = askedFor('booking.mine').length;
  await question.getByRole('button', { name: button }).click();
  await expect.poll(() => askedFor('booking.mine').length).toBeGreaterThan(asked);
  expect(question.query()).not.toBeNull();
  resolve([changed]);
  await expect.element(question).not.toBeInTheDocument();
}

test('a canceled session is off the list once its question closes', async () => {
  await openPage('/home', { as: 'client', answers: { 'booking.mine': [ahead] } });
  const { name } = ahead.provider;
  const card = page.getByRole('article', { name });
  await card.getByRole('button', { name: `Actions for the appointment with ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
  await confirmWith('Cancel appointment', 'booking.cancel', { ...ahead, status: 'cancelled', actions: [] });
  expect(card.query()).toBeNull();
  await expect.element(page.getByText('Appointment cancelled').first()).toBeVisible();
});

test('a declined request is off the list once its question closes', async () => {
  const { startsAt, endsAt } = ahead;
  const [held] = recordedFor('doctor')['booking.mine'];
  const request = { ...held!, startsAt, endsAt, status: 'pending', actions: ['confirm', 'decline'] };
  await openPage('/profile?tab=sessions', { as: 'doctor', answers: { 'booking.mine': [request] } });
  const card = page.getByRole('article');
  await card.getByRole('button', { name: 'Decline' }).click();
  await confirmWith('Decline', 'booking.decline', { ...request, status: 'declined', actions: [] });
  expect(card.getByRole('button', { name: 'Decline' }).query()).toBeNull();
});

test('says after the deadline that it’s too late, and offers the reminder alone from then on', async () => {
  await openPage('/home', { as: 'client', answers: { 'booking.mine': [ahead] } });
  const { name } = ahead.provider;
  const menu = page.getByRole('button', { name: `Actions for the appointment with ${name}` });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
  answer({
    'booking.cancel': refusal(412, 'precondition', 'deadline_passed'),
    'booking.mine': [{ ...ahead, actions: ['set_reminder'] }],
  });
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Cancel appointment' }).click();
  const alert = question.getByRole('alert');
  await expect.element(alert).toMatchTextContent('It’s too late to change this session here');
  await expect.element(alert).toMatchTextContent(`please tell ${name} directly`);
  await question.getByRole('button', { name: 'Go back' }).click();
  await menu.click();
  await expect.element(page.getByRole('menuitem')).toHaveTextContent('Reminder and calendar');
});

/** Four weekly sessions ahead, of which the first may be too late to change. */
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

async function openCancelOfSecond(weekly: ReturnType<typeof series>): Promise<void> {
  await openPage('/home', {
    as: 'client',
    answers: { 'booking.mine': weekly, 'series.ahead': weekly },
  });
  await page
    .getByRole('article', { name: ahead.provider.name })
    .nth(1)
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Cancel appointment' }).click();
}

test('asks which sessions of a series are canceled, and lists them, by keyboard', async () => {
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

test('names the session of a series that is too late to cancel', async () => {
  await openCancelOfSecond(series(false));
  const question = page.getByRole('alertdialog');
  await question.getByRole('radio', { name: /^All upcoming sessions 4 sessions/ }).click();
  await expect.element(question.getByText('3 sessions will be canceled')).toBeVisible();
  await expect.element(question.getByText('1 session stays: it’s too late to change it')).toBeVisible();
  await expect.element(question.getByText(`please tell ${ahead.provider.name} directly`)).toBeVisible();
});
