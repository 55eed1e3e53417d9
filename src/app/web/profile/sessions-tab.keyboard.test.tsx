import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answer, askedFor } from '../../../../tests/components/answers.ts';
import { press, tabTo } from '../../../../tests/components/keyboard.ts';
import { openPage } from '../../../../tests/components/page.tsx';
import { recordedFor } from '../../../../tests/components/recorded.ts';

const sessions = recordedFor('client')['appointments.mine'];
const ahead = sessions.find(({ actions }) => actions.includes('cancel'))!;
const { id, provider } = ahead;
const startsAt = '2026-12-09T15:00:00Z';
const moved = { ...ahead, startsAt, endsAt: '2026-12-09T16:00:00Z', sequence: 1 };
const cancelled = { ...ahead, status: 'cancelled', actions: [] };
const actions = page.getByRole('button', { name: `Actions for the appointment with ${provider.name}` });

async function choose(name: string): Promise<void> {
  await press(actions);
  const items = page.getByRole('menuitem');
  await expect.element(items.first()).toHaveFocus();
  const at = items.elements().findIndex((item) => item.textContent === name);
  for (let down = 0; down < at; down += 1) await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('menuitem', { name, exact: true })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
}

test('reschedules a session by keyboard', { tags: ['long'] }, async () => {
  await openPage('/profile?tab=sessions', {
    as: 'client',
    answers: {
      'appointments.mine': [ahead],
      'appointments.freeStarts': {
        timeZone: 'America/New_York',
        starts: [ahead.startsAt, startsAt],
        places: [],
      },
      'appointments.reschedule': moved,
    },
  });
  await choose('Reschedule');
  const dialog = page.getByRole('dialog', { name: 'Reschedule' });
  const move = dialog.getByRole('button', { name: 'Reschedule appointment' });
  const day = dialog.getByRole('button', { name: /Wednesday, December 9/ });
  await expect.element(day).toBeEnabled();
  await expect.element(dialog).toMatchTextContent('1 open time on Wednesday, December 9');
  await press(move);
  await expect.element(dialog.getByText('Choose a time.')).toBeVisible();
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await tabTo(dialog.getByRole('button', { name: 'Next month' }));
  await userEvent.keyboard('{Tab}');
  for (let steps = 0; steps < 14 && document.activeElement !== day.element(); steps += 1)
    await userEvent.keyboard('{ArrowRight}');
  await expect.element(day).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await press(dialog.getByRole('radiogroup', { name: /^Time/ }).getByRole('radio').first(), ' ');
  answer({ 'appointments.mine': [moved] });
  await press(move);
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(actions).toHaveFocus();
  await expect.poll(() => askedFor('appointments.reschedule')).toEqual([{ appointmentId: id, startsAt }]);
});

test('cancels a session and books it again by keyboard', { tags: ['long'] }, async () => {
  await openPage('/profile?tab=sessions', {
    as: 'client',
    answers: { 'appointments.mine': [ahead], 'appointments.cancel': cancelled },
  });
  await choose('Cancel appointment');
  const question = page.getByRole('alertdialog', { name: 'Cancel this appointment?' });
  await expect.poll(() => question.element().contains(document.activeElement)).toBe(true);
  await tabTo(question.getByLabelText('Reason'));
  await userEvent.keyboard('My plans have changed.');
  answer({ 'appointments.mine': [cancelled] });
  await press(question.getByRole('button', { name: 'Cancel appointment' }));
  await expect.element(page.getByRole('heading', { name: 'No upcoming sessions' })).toBeVisible();
  await expect.poll(() => page.getByRole('main').element().contains(document.activeElement)).toBe(true);
  await expect
    .poll(() => askedFor('appointments.cancel'))
    .toMatchObject([{ reason: 'My plans have changed.' }]);
  const again = page.getByRole('button', { name: `Book again with ${provider.name}` });
  await press(again);
  const booking = page.getByRole('dialog', { name: 'Book Appointment' });
  await expect.poll(() => booking.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(booking).not.toBeInTheDocument();
  await expect.element(again).toHaveFocus();
});
